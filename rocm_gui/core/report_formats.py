"""Writes a composed report as plain text and as one self-contained HTML page."""

from __future__ import annotations

import html
import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.core.report import Document, Row, Section

_MARKS = {"ok": "✓", "warn": "!", "fail": "✗", "unknown": "?"}
_COLUMN_WIDTH = 46  # wider cells push the next column only in their own line


def to_text(document: Document, mark: Callable[[str], str] = _MARKS.__getitem__) -> str:
    """Plain text for a terminal or a file; ``mark`` gives the signs that the place can show."""
    lines = [document.title, "=" * _width(document.title), "", f"{mark(document.mark)} {document.verdict}"]
    lines += [f"  {reason}" for reason in document.reasons]
    for section in document.sections:
        lines += ["", section.title, "-" * _width(section.title)]
        lines += _table(section, mark)
        if section.code is not None:
            lines.append(textwrap.indent(section.code.rstrip("\n"), "    "))
    return "\n".join([*lines, "", document.made, ""])


def _table(section: Section, mark: Callable[[str], str]) -> list[str]:
    marked = any(row.mark for row in section.rows)
    rows = [tuple(row.cells) for row in section.rows]
    shown = [section.header, *rows] if section.header else rows
    columns = max((len(cells) for cells in shown), default=0)
    widths = [
        min(_COLUMN_WIDTH, max((_width(cells[i]) for cells in shown if i < len(cells)), default=0))
        for i in range(columns)
    ]
    indent = max((_width(mark(row.mark)) for row in section.rows if row.mark), default=0) + 1 if marked else 0
    lines: list[str] = []
    if section.header:
        lines.append(_line("", section.header, widths, indent))
    for row in section.rows:
        lines.append(_line(mark(row.mark) if row.mark else "", row.cells, widths, indent))
        lines += [f"  {' ' * indent}  {detail}" for detail in row.details]
    return lines


def _line(sign: str, cells: tuple[str, ...], widths: list[int], indent: int) -> str:
    padded = [_pad(cell, width) for cell, width in zip(cells, widths, strict=False)]
    return "  " + (_pad(sign, indent) + "  ".join(padded)).rstrip()


def _width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _pad(text: str, width: int) -> str:
    return text + " " * max(0, width - _width(text))


_STYLE = """
:root { color-scheme: light dark; --fg: #1d2126; --dim: #5a636e; --bg: #ffffff; --box: #f3f5f7; --line: #d5dae0;
  --ok: #1a7f37; --warn: #8a5a00; --fail: #b3261e; --unknown: #5a636e; }
@media (prefers-color-scheme: dark) { :root { --fg: #e4e7eb; --dim: #9aa4af; --bg: #16191d; --box: #1f242a;
  --line: #363d45; --ok: #57c274; --warn: #e3ad4d; --fail: #ff8a80; --unknown: #9aa4af; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem; max-width: 60rem; background: var(--bg); color: var(--fg);
  font: 16px/1.5 system-ui, "Segoe UI", "Microsoft YaHei UI", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.verdict { border-left: .3rem solid var(--unknown); background: var(--box); padding: .8rem 1rem; }
.verdict strong { display: block; font-size: 1.1rem; } .verdict p { margin: .4rem 0 0; overflow-wrap: anywhere; }
.verdict.ok { border-color: var(--ok); } .verdict.warn { border-color: var(--warn); }
.verdict.fail { border-color: var(--fail); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; } td { overflow-wrap: anywhere; }
td.sign { width: 1.6rem; font-weight: 700; } .sign.ok { color: var(--ok); } .sign.warn { color: var(--warn); }
.sign.fail { color: var(--fail); } .sign.unknown { color: var(--unknown); }
.detail { color: var(--dim); font-size: .9rem; }
pre { background: var(--box); padding: .8rem 1rem; overflow-x: auto; font: 14px/1.5 ui-monospace, Consolas, monospace; }
footer { margin-top: 2rem; color: var(--dim); font-size: .85rem; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } tr, .verdict, pre { break-inside: avoid; }
  h2 { break-after: avoid; } .scroll { overflow: visible; } }
"""


def to_html(document: Document) -> str:
    """One page without anything from outside: light, dark and on paper."""
    esc = html.escape
    language = document.language.replace("_", "-")
    reasons = "".join(f"<p>{esc(reason)}</p>" for reason in document.reasons)
    body = "\n".join(_section(section) for section in document.sections)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{esc(document.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{esc(document.title)}</h1>\n"
        f'<div class="verdict {document.mark}"><strong>{_MARKS[document.mark]} {esc(document.verdict)}</strong>'
        f"{reasons}</div>\n{body}\n<footer>{esc(document.made)}</footer>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [f'<section id="{html.escape(section.id)}">', f"<h2>{html.escape(section.title)}</h2>"]
    if section.rows:
        parts.append('<div class="scroll"><table>')
        if section.header:
            marked = any(row.mark for row in section.rows)
            cells = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in section.header)
            parts.append(f"<thead><tr>{'<th></th>' if marked else ''}{cells}</tr></thead>")
        parts.append("<tbody>" + "".join(_row(row, section) for row in section.rows) + "</tbody></table></div>")
    if section.code is not None:
        parts.append(f"<pre><code>{html.escape(section.code)}</code></pre>")
    return "\n".join([*parts, "</section>"])


def _row(row: Row, section: Section) -> str:
    marked = any(other.mark for other in section.rows)
    sign = ""
    if marked:
        sign = f'<td class="sign {row.mark or ""}">{_MARKS[row.mark] if row.mark else ""}</td>'
    details = "".join(f'<div class="detail">{html.escape(detail)}</div>' for detail in row.details)
    last = len(row.cells) - 1
    where = min(1, last)  # details explain the result, which stands in the second column
    cells = "".join(
        f"<td>{html.escape(cell)}{details if index == where else ''}</td>" for index, cell in enumerate(row.cells)
    )
    return f"<tr>{sign}{cells}</tr>"
