"""``rocm-gui env``: environment variables shown, changed with a preview, kept in backups and taken back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rocm_gui.bootstrap import make_env_editor
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.variables import Edit, diff_lines, is_list
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from rocm_gui.cli.output import Output
    from rocm_gui.core.variables import Scope
    from rocm_gui.services.env_editor import Batch, EnvEditor, Preview

_TARGETS = ("user", "machine")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    def action(name: str, text: str, *, changes: bool = False) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument("--json", action="store_true", help="JSON on standard output")
        if changes:
            sub.add_argument("--dry-run", action="store_true", help="show what would change and change nothing")
            sub.add_argument("-y", "--yes", action="store_true", help="do not ask")
        return sub

    def scope(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--scope", choices=_TARGETS, default="user", help="your account or the whole computer")

    _add_reading(action, scope)
    _add_changing(action, scope)
    _add_advice(action)
    write = actions.add_parser("write")  # of the helper with administrator's rights; not for people
    write.add_argument("--request", type=Path, required=True)
    write.add_argument("--sha256", required=True)


def _add_reading(
    action: Callable[..., argparse.ArgumentParser], scope: Callable[[argparse.ArgumentParser], None]
) -> None:
    show = action("show", "the variables of your account and of the computer, PATH entry by entry")
    show.add_argument("--all", action="store_true", help="every variable, not only PATH and those that matter to ROCm")
    show.add_argument("--reveal", action="store_true", help="show passwords and tokens too")
    get = action("get", "the raw value of one variable")
    get.add_argument("name", metavar="NAME")
    scope(get)
    backup = action("backup", "keep all variables in a file")
    backup.add_argument("file", metavar="FILE", type=Path)
    action("history", "what was changed and when")


def _add_changing(
    action: Callable[..., argparse.ArgumentParser], scope: Callable[[argparse.ArgumentParser], None]
) -> None:
    change = action("set", "set a variable", changes=True)
    change.add_argument("name", metavar="NAME")
    change.add_argument("value", metavar="VALUE")
    scope(change)
    unset = action("unset", "remove a variable", changes=True)
    unset.add_argument("name", metavar="NAME")
    scope(unset)
    for name, text in (("add-path", "add a folder to PATH"), ("remove-path", "remove a folder from PATH")):
        sub = action(name, text, changes=True)
        sub.add_argument("folder", metavar="FOLDER")
        sub.add_argument("--name", default="PATH", metavar="NAME", help="another list of folders, such as PYTHONPATH")
        if name == "add-path":
            sub.add_argument("--first", action="store_true", help="put it in front, so that it wins")
        scope(sub)
    clean = action("clean-path", "remove repetitions, empty entries and folders that are gone from PATH", changes=True)
    clean.add_argument("--name", default="PATH", metavar="NAME", help="another list of folders, such as PYTHONPATH")
    scope(clean)
    restore = action("restore", "make the variables again what a backup holds", changes=True)
    restore.add_argument("file", metavar="FILE", type=Path)
    scope(restore)
    undo = action("undo", "take back the last change, or the one named", changes=True)
    undo.add_argument("id", metavar="ID", nargs="?", help="id of the change (see: rocm-gui env history)")
    undo.add_argument("--force", action="store_true", help="also what somebody changed again since")


def _add_advice(action: Callable[..., argparse.ArgumentParser]) -> None:
    explain = action("explain-setx", "what pasted setx lines would do, and the safe way", changes=True)
    explain.add_argument("lines", metavar="LINE", nargs="*", help="the lines, each as one word; none: standard input")
    explain.add_argument("--powershell", action="store_true", help="they are meant for PowerShell")
    explain.add_argument("--apply", action="store_true", help="make the safe changes")
    explain.add_argument("--windows-state", type=Path, metavar="FILE", help="judge for a backup from a Windows PC")
    text = "the tutorial's variables judged for this machine, and those of a distributed launch"
    sets = action("sets", text, changes=True)
    sets.add_argument("--apply", action="store_true", help="make the offered changes")
    sets.add_argument("--interface", metavar="NAME", help="network interface for the launch script")
    text = "write the launch variables to a .sh, .cmd or .ps1 file"
    sets.add_argument("--save-script", type=Path, metavar="FILE", help=text)


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the subcommand; returns its exit code."""
    if args.action == "write":
        from rocm_gui.bootstrap import serve_env_request

        return ExitCode.OK if serve_env_request(args.request, args.sha256).error is None else ExitCode.FAILED
    editor = make_env_editor(default_paths())
    if args.action in ("show", "get", "history", "backup"):
        from rocm_gui.cli import env_report

        return env_report.run(args, out, editor)
    if args.action in ("explain-setx", "sets"):
        from rocm_gui.cli import env_advice

        return env_advice.run(args, out, editor)
    if args.action == "undo":
        batch, preview = editor.preview_undo(args.id, force=args.force)
        return change(args, out, editor, preview, batch)
    if args.action == "restore":
        return change(args, out, editor, editor.preview_restore(args.file, (args.scope,)))
    return change(args, out, editor, editor.preview([_edit(args)]))


def _edit(args: argparse.Namespace) -> Edit:
    kinds: dict[str, Literal["set", "unset", "add", "remove", "clean"]] = {
        "set": "set",
        "unset": "unset",
        "add-path": "add",
        "remove-path": "remove",
        "clean-path": "clean",
    }
    scope: Scope = args.scope
    text = getattr(args, "value", None) or getattr(args, "folder", None) or ""
    return Edit(kind=kinds[args.action], scope=scope, name=args.name, text=text, first=getattr(args, "first", False))


def change(
    args: argparse.Namespace, out: Output, editor: EnvEditor, preview: Preview, undone: Batch | None = None
) -> int:
    """Show a preview, ask, write; the report says what was done. ``undone``: the batch that ``preview`` takes back."""
    for conflict in preview.conflicts:
        out.say(out.texts.get("env.conflict", name=conflict.name, scope=scope_word(out, conflict.scope)))
    show_preview(out, preview)
    if args.dry_run or not _confirmed(args, out, preview):
        _told(out, preview, "env.written", None)
        return ExitCode.OK if args.dry_run else ExitCode.CANCELLED
    if undone is not None:
        editor.take_back(undone, preview)
        _told(out, preview, "env.taken_back", undone.id if preview.changes else None)
        return ExitCode.FAILED if preview.conflicts else ExitCode.OK
    batch = editor.apply(preview)
    _told(out, preview, "env.written", batch.id if batch else None)
    return ExitCode.OK


def _confirmed(args: argparse.Namespace, out: Output, preview: Preview) -> bool:
    """Whether it is to be written; without a keyboard only ``--yes`` is a yes.

    Raises:
        AppError: ``env_not_confirmed``.
    """
    if args.yes or not preview.changes:
        return True
    if not sys.stdin or not sys.stdin.isatty():
        raise AppError("env_not_confirmed", ExitCode.USAGE)
    return out.agreed("env.ask")


def show_preview(out: Output, preview: Preview) -> None:
    """The difference, entry by entry, on standard error."""
    if not preview.changes:
        out.say(out.texts.get("env.nothing"))
        return
    for item in preview.changes:
        out.say(f"{item.name} ({scope_word(out, item.scope)})")
        lines = diff_lines(item, windows=preview.windows)
        changed = [place for place, line in enumerate(lines) if line.sign != " "]
        near = (
            {place + step for place in changed for step in (-1, 0, 1)} if is_list(item.name) else set(range(len(lines)))
        )
        skipped = False
        for place, line in enumerate(lines):
            if place in near:
                out.say(f"  {line.sign} {line.text}")
                skipped = False
            elif not skipped:
                out.say("    …")
                skipped = True
    for meter in preview.warnings:
        out.say(out.texts.get(f"env.over.{meter.id}", length=meter.length, limit=meter.limit))
    if preview.needs_admin:
        out.say(out.texts.get("env.needs_admin"))


def _told(out: Output, preview: Preview, code: str, batch: str | None) -> None:
    """The end of a change: a document, or a sentence where something was written."""
    if out.json_mode:
        rows = [{"scope": c.scope, "name": c.name, "before": c.before, "after": c.after} for c in preview.changes]
        conflicts = [{"scope": c.scope, "name": c.name} for c in preview.conflicts]
        written = batch is not None
        out.document({"schema": 1, "written": written, "id": batch, "changes": rows, "conflicts": conflicts})
    elif batch is not None:
        out.report(out.texts.get(code, id=batch))


def scope_word(out: Output, scope: str) -> str:
    """“your account” or “this computer”."""
    return out.texts.get(f"env.scope.{scope}")
