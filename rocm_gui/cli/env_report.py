"""What ``rocm-gui env`` tells of the variables as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.redact import MASK, mask_secrets
from rocm_gui.core.variables import SCOPES, meters
from rocm_gui.system.variables import MATTERS, SECRET

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from rocm_gui.cli.output import Output
    from rocm_gui.core.path_list import Row
    from rocm_gui.core.variables import EnvState, Scope, Value
    from rocm_gui.services.env_editor import EnvEditor


def run(args: argparse.Namespace, out: Output, editor: EnvEditor) -> int:
    """``show``, ``get``, ``history`` and ``backup``."""
    if args.action == "show":
        return _show(args, out, editor)
    if args.action == "get":
        return _get(args, out, editor)
    if args.action == "backup":
        files = [str(path) for path in editor.backup(args.file.expanduser().absolute())]
        if out.json_mode:
            out.document({"schema": 1, "files": files})
        else:
            out.report(out.texts.get("env.kept", files=", ".join(files)))
        return ExitCode.OK
    return _history(out, editor)


def _show(args: argparse.Namespace, out: Output, editor: EnvEditor) -> int:
    state = editor.read()
    lists = dict(zip(SCOPES, editor.rows(state), strict=True))
    if out.json_mode:
        out.document(_document(state, lists, reveal=args.reveal))
        return ExitCode.OK
    for scope in SCOPES:
        now = state.scope(scope)
        if not state.windows and scope == "machine":
            continue
        out.report(out.texts.get(f"env.head.{scope}" if state.windows else "env.head.linux"))
        if now.values is None:
            out.report("  " + out.texts.get("env.unreadable", reason=now.reason))
            continue
        shown = {
            name: value
            for name, value in sorted(now.values.items(), key=lambda pair: pair[0].casefold())
            if name.upper() != "PATH" and (args.all or not state.windows or MATTERS.fullmatch(name))
        }
        for name, value in shown.items():
            out.report(f"  {name}={_masked(name, value.shown, reveal=args.reveal)}")
        rows = lists[scope]
        if rows:
            out.report("  PATH")
            for row in rows:
                out.report(f"    {row.index + 1:3} {row.raw}{_marks(out, row)}")
            for meter in meters(state, scope):
                if meter.over or meter.id == "value":
                    out.report("    " + out.texts.get(f"env.meter.{meter.id}", length=meter.length, limit=meter.limit))
        elif not shown:
            out.report("  " + out.texts.get("env.none"))
        out.report()
    return ExitCode.OK


def _marks(out: Output, row: Row) -> str:
    codes = [
        *(["missing"] if row.exists is False else []),
        *(["duplicate"] if row.duplicate_of is not None else []),
        *([row.problem] if row.problem else []),
    ]
    return out.texts.aside(out.texts.listed(out.texts.get(f"env.mark.{code}") for code in codes)) if codes else ""


def _masked(name: str, text: str, *, reveal: bool) -> str:
    if reveal:
        return text
    return MASK if SECRET.search(name) and text else mask_secrets(text)


def _document(state: EnvState, lists: Mapping[Scope, tuple[Row, ...]], *, reveal: bool) -> dict[str, object]:
    scopes: dict[str, object] = {}
    for scope in SCOPES:
        now = state.scope(scope)
        scopes[scope] = {
            "readable": now.values is not None,
            "writable": now.writable,
            "variables": None
            if now.values is None
            else [_variable(name, value, reveal=reveal) for name, value in sorted(now.values.items())],
            "path": [
                {
                    "entry": row.raw, "expanded": row.expanded, "exists": row.exists, "duplicate_of": row.duplicate_of,
                    "quoted": row.quoted, "problem": row.problem,
                }
                for row in lists[scope]
            ],
            "meters": [{"id": m.id, "length": m.length, "limit": m.limit} for m in meters(state, scope)],
        }  # fmt: skip
    return {"schema": 1, "system": "windows" if state.windows else "linux", "scopes": scopes}


def _variable(name: str, value: Value, *, reveal: bool) -> dict[str, object]:
    text = None if value.text is None else _masked(name, value.text, reveal=reveal)
    return {"name": name, "type": value.kind, "value": text}


def _get(args: argparse.Namespace, out: Output, editor: EnvEditor) -> int:
    state = editor.read()
    now = state.scope(args.scope)
    if now.values is None:
        raise AppError("env_unreadable", ExitCode.DENIED, scope=args.scope, reason=now.reason)
    stored = now.get(args.name, windows=state.windows)
    if stored is None:
        raise AppError("env_not_set", ExitCode.FAILED, name=args.name, scope=args.scope)
    name, value = stored
    if out.json_mode:
        out.document({"schema": 1, "scope": args.scope, "name": name, "type": value.kind, "value": value.text})
    else:
        out.report(value.shown)
    return ExitCode.OK


def _history(out: Output, editor: EnvEditor) -> int:
    batches = editor.history()
    if out.json_mode:
        rows = [
            {"id": b.id, "created": b.created, "state": b.state, "undoes": b.undoes,
             "changes": [{"scope": c.scope, "name": c.name, "before": c.before, "after": c.after} for c in b.changes]}
            for b in batches
        ]  # fmt: skip
        out.document({"schema": 1, "batches": rows})
        return ExitCode.OK
    if not batches:
        out.report(out.texts.get("env.no_history"))
    for batch in batches:
        names = ", ".join(dict.fromkeys(change.name for change in batch.changes))
        out.report(f"{batch.id}  {batch.created}  {out.texts.get(f'env.state.{batch.state}')}  {names}")
    return ExitCode.OK
