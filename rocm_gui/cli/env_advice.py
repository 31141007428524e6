"""Pasted ``setx`` lines explained, and the prepared sets of variables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rocm_gui.cli.env import change
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.setx import explain
from rocm_gui.core.variables import EnvState, ScopeState
from rocm_gui.services.env_editor import folder_exists, read_backup

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from rocm_gui.cli.output import Output
    from rocm_gui.core.env_sets import ScriptKind
    from rocm_gui.core.setx import SetxLine
    from rocm_gui.core.variables import Edit
    from rocm_gui.services.env_editor import EnvEditor


def run(args: argparse.Namespace, out: Output, editor: EnvEditor) -> int:
    """``explain-setx`` and ``sets``."""
    return _explain(args, out, editor) if args.action == "explain-setx" else _sets(args, out, editor)


def _explain(args: argparse.Namespace, out: Output, editor: EnvEditor) -> int:
    text = "\n".join(args.lines) if args.lines else sys.stdin.read()
    state = _windows_state(args.windows_state) if args.windows_state is not None else editor.read()
    if not state.windows:  # judged as on a Windows PC without a PATH of its own
        state = EnvState(
            windows=True,
            user=ScopeState(scope="user", values={}),
            machine=ScopeState(scope="machine", values={}),
            environ={},
        )
    lines = explain(text, state, "powershell" if args.powershell else "cmd")
    if not lines:
        raise AppError("env_no_setx", ExitCode.USAGE)
    edits = [edit for line in lines for edit in line.edits]
    if out.json_mode and not args.apply:
        out.document({"schema": 1, "lines": [_row(line, out) for line in lines]})
        return ExitCode.OK
    for line in lines:
        out.report(line.line)
        for sentence in sentences(line, out):
            out.report(f"  - {sentence}")
        for command in commands(line.edits):
            out.report("  " + out.texts.get("env.setx.safe", command=command))
        if not line.edits and line.name is not None:
            out.report("  " + out.texts.get("env.setx.leave_out"))
    if args.apply:
        if not editor.windows:
            raise AppError("env_setx_windows", ExitCode.USAGE)
        return change(args, out, editor, editor.preview(edits))
    return ExitCode.OK


def sentences(line: SetxLine, out: Output) -> list[str]:
    """What is to be known about one line."""
    return [out.texts.get(f"env.setx.{finding.code}", **finding.facts) for finding in line.findings]


def commands(edits: Sequence[Edit]) -> list[str]:
    """The edits as commands of this program."""
    words = {"set": "set", "unset": "unset", "add": "add-path", "remove": "remove-path"}
    lines: list[str] = []
    for edit in edits:
        parts = ["rocm-gui", "env", words.get(edit.kind, edit.kind)]
        if edit.kind in ("set", "unset"):
            parts.append(edit.name)
        if edit.kind != "unset":
            parts.append(f'"{edit.text}"' if " " in edit.text or not edit.text else edit.text)
        if edit.first:
            parts.append("--first")
        if edit.kind in ("add", "remove") and edit.name.upper() != "PATH":
            parts += ["--name", edit.name]
        if edit.scope == "machine":
            parts += ["--scope", "machine"]
        lines.append(" ".join(parts))
    return lines


def _row(line: SetxLine, out: Output) -> dict[str, object]:
    return {
        "line": line.line,
        "scope": line.scope,
        "name": line.name,
        "stored": line.stored,
        "findings": [
            {"code": f.code, "facts": f.facts, "text": text}
            for f, text in zip(line.findings, sentences(line, out), strict=True)
        ],
        "safe": commands(line.edits),
    }


def _windows_state(file: Path) -> EnvState:
    backup = read_backup(file)
    environ: dict[str, str] = {}
    for values in (backup.machine or {}, backup.user or {}):
        environ |= {name.upper(): v.text for name, v in values.items() if v.text is not None and name.upper() != "PATH"}
    return EnvState(
        windows=True,
        user=ScopeState(scope="user", values=backup.user or {}),
        machine=ScopeState(scope="machine", values=backup.machine or {}),
        environ=environ,
    )


def _sets(args: argparse.Namespace, out: Output, editor: EnvEditor) -> int:
    from rocm_gui.bootstrap import needed_overrides, network_interfaces
    from rocm_gui.core.env_sets import launch_script, launch_variables, tutorial_items

    state = editor.read()
    items = tutorial_items(state, folder_exists, needed_overrides())
    interfaces = network_interfaces()
    names = [interface.name for interface in interfaces]
    if args.interface is not None and args.interface not in names:
        raise AppError("env_interface", ExitCode.USAGE, name=args.interface, names=", ".join(names))
    best = interfaces[0].name if interfaces and not interfaces[0].virtual else None
    variables = launch_variables(args.interface or best, windows=state.windows)
    if args.save_script is not None:
        _save_script(args.save_script, launch_script(variables, _kind(args.save_script)))
    edits = [edit for item in items for edit in item.edits]
    if args.apply:
        return change(args, out, editor, editor.preview(edits))
    told = {item.name: out.texts.get(f"env.set.{item.code}", **item.facts) for item in items}
    if out.json_mode:
        rows = [
            {"name": i.name, "code": i.code, "facts": i.facts, "text": told[i.name], "safe": commands(i.edits)}
            for i in items
        ]
        document = {"schema": 1, "tutorial": rows, "interfaces": interfaces, "launch": variables}
        out.document(document)
        return ExitCode.OK
    out.report(out.texts.get("env.set.head_tutorial"))
    for item in items:
        out.report(f"  {item.name}: {told[item.name]}")
        for command in commands(item.edits):
            out.report("    " + out.texts.get("env.setx.safe", command=command))
    out.report()
    out.report(out.texts.get("env.set.head_launch"))
    for line in launch_script(variables, "cmd" if state.windows else "sh").splitlines():
        out.report("  " + line)
    out.report("  " + out.texts.get("env.set.rccl_trace"))
    if state.windows:
        out.report("  " + out.texts.get("env.set.no_nccl"))
    if args.save_script is not None:
        out.report(out.texts.get("env.kept", files=args.save_script))
    return ExitCode.OK


def _kind(path: Path) -> ScriptKind:
    kinds: dict[str, ScriptKind] = {".sh": "sh", ".cmd": "cmd", ".bat": "cmd", ".ps1": "ps1"}
    kind = kinds.get(path.suffix.lower())
    if kind is None:
        raise AppError("env_script_kind", ExitCode.USAGE, path=str(path))
    return kind


def _save_script(path: Path, text: str) -> None:
    from rocm_gui.system.files import write_atomic

    try:
        write_atomic(path, text)
    except OSError as error:
        raise AppError("env_backup_failed", path=str(path), reason=error.strerror or str(error)) from error
