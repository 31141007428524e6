"""A plan in words and as a JSON document: what the command line prints and the window copies and saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from rocm_gui.core.command_line import shown_command
from rocm_gui.core.errors import AppError
from rocm_gui.core.redact import mask_secrets
from rocm_gui.core.texts import pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocm_gui.core.plan import Change, Plan, Step
    from rocm_gui.core.routes import GuideStep, Route, Unfit
    from rocm_gui.core.texts import Texts


_PROMPTS = {"powershell": "PS> ", "cmd": "> ", "bash": "$ ", None: ""}  # which shell a line is for


def size_text(size: float | None) -> str:
    """Bytes for people, in powers of 1000: "1.1 GB"."""
    if size is None:
        return "?"
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def reason_texts(kind: str, reasons: Any, texts: Texts) -> list[str]:  # noqa: ANN401  # facts of an AppError are objects
    """The sentences of ``Unfit`` records; ``kind`` is "unfit" or "caution"."""
    rows: Iterable[Unfit] = reasons
    return [texts.get(f"route.{kind}.{reason.code}", **_named(reason, texts)) for reason in rows]


def _named(reason: Unfit, texts: Texts) -> dict[str, str | int | None]:
    """The facts, with the ids of systems replaced by their names."""
    if reason.code != "os":
        return reason.facts
    names: dict[str, str | int | None] = {}
    for key, value in reason.facts.items():
        ids = str(value or "").split(", ")
        names[key] = ", ".join(
            texts.get(f"route.system.{name}") if texts.has(f"route.system.{name}") else name for name in ids
        )
    return names


def worded(error: AppError, texts: Texts) -> AppError:
    """An error of planning with its reasons as sentences."""
    words: dict[str, object] = {}
    if error.code == "route_unfit":
        words["reasons"] = " ".join(reason_texts("unfit", error.facts["reasons"], texts))
    elif error.code == "setup_python_unusable":
        words["reason"] = texts.get(f"setup.python_reason.{error.facts['reason']}")
    return AppError(error.code, error.exit_code, **{**error.facts, **words}) if words else error


def masked(value: Any) -> Any:  # noqa: ANN401  # any JSON value
    """``value`` with passwords and tokens taken out of every string."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, dict):
        return {key: masked(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def plan_document(plan: Plan, texts: Texts) -> dict[str, object]:
    """The document of ``setup plan --json``; its schema is ``setup_plan.json``. Secrets are masked."""
    document = msgspec.to_builtins(plan)
    for notice in document["notices"]:
        notice["text"] = texts.get(f"setup.notice.{notice['code']}", **notice["facts"])
    for step in document["steps"]:
        step["title"] = texts.get(f"setup.step.{step['id']}")
    for step in document["guide"]:
        step["text"] = pick(step["text"], texts.language)
    return masked(document)


def plan_is_windows(plan: Plan) -> bool:
    """Whether the plan's paths are Windows' own, wherever it is shown."""
    return "\\" in plan.target


def commands_of(step: Step, *, windows: bool) -> list[str]:
    """The commands of a step as they may be copied, secrets masked."""
    return [mask_secrets(shown_command(command, windows=windows)) for command in step.commands]


def variables_of(step: Step, texts: Texts) -> str | None:
    """What is set for the commands of a step; None where nothing is."""
    if not step.variables:
        return None
    values = ", ".join(f"{name}={value}" for name, value in step.variables.items())
    return mask_secrets(texts.get("setup.plan.variables", values=values))


def change_text(change: Change, texts: Texts) -> str:
    """What is done to which path, and about how much."""
    text = texts.get(f"setup.change.{change.kind}", path=change.path)
    if change.kind == "download" and change.size_bytes:
        return texts.listed((text, texts.get("setup.plan.download", size=size_text(change.size_bytes))))
    if change.kind == "install" and change.size_bytes:
        return texts.listed((text, texts.get("setup.plan.disk", size=size_text(change.size_bytes))))
    return text


def plan_lines(plan: Plan, texts: Texts, route: Route | None = None) -> Iterator[str]:
    """The plan as text, secrets masked; ``route`` is its route, where what that is and cannot do shall be told."""
    return (mask_secrets(line) for line in _lines(plan, texts, route))


def _lines(plan: Plan, texts: Texts, route: Route | None) -> Iterator[str]:
    windows = plan_is_windows(plan)
    yield texts.get("setup.plan.heading", title=plan.route_id)
    if route is not None:
        yield f"  {pick(route.title, texts.language)}"
        yield f"  {pick(route.summary, texts.language)}"
    if plan.kind == "install":
        yield f"  {texts.get('setup.plan.target')}{texts.colon}{plan.target}"
    if plan.gfx_target:
        yield f"  {texts.get('setup.plan.gpu')}{texts.colon}{plan.gfx_target}"
    if plan.notices:
        yield f"  {texts.get('setup.plan.remarks')}{texts.colon.rstrip()}"
    for notice in plan.notices:
        yield "  - " + texts.get(f"setup.notice.{notice.code}", **notice.facts)
    if route is not None and route.limits:
        yield f"  {texts.get('setup.plan.limits')}{texts.colon.rstrip()}"
        yield from (f"  - {pick(limit, texts.language)}" for limit in route.limits)
    if plan.guide:
        yield f"\n{texts.get('setup.plan.by_you')}{texts.colon.rstrip()}"
    for number, guide in enumerate(plan.guide, start=1):
        yield from _guide(number, guide, texts)
    for number, step in enumerate(plan.steps, start=1):
        yield from _step(number, step, texts, windows=windows)


def _guide(number: int, step: GuideStep, texts: Texts) -> Iterator[str]:
    yield f"{number}. {pick(step.text, texts.language)}"
    for line in step.lines:
        yield f"     {_PROMPTS[step.shell]}{line}"


def _step(number: int, step: Step, texts: Texts, *, windows: bool) -> Iterator[str]:
    yield f"\n{number}. {texts.get(f'setup.step.{step.id}')}"
    for command in step.commands:
        yield f"     $ {shown_command(command, windows=windows)}"
    variables = variables_of(step, texts)
    if variables is not None:
        yield f"       {variables}"
    for change in step.changes:
        yield f"     {change_text(change, texts)}"
