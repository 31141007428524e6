"""Routes and plans as text and as JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from rocm_gui.core.command_line import shown_command
from rocm_gui.core.redact import mask_secrets
from rocm_gui.core.route_choice import judged_gpu
from rocm_gui.core.texts import pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocm_gui.cli.output import Output
    from rocm_gui.core.model import Machine, SetupOptions
    from rocm_gui.core.plan import Change, Plan, Step
    from rocm_gui.core.routes import GuideStep, RouteChoice, Unfit
    from rocm_gui.core.texts import Texts

SCHEMA = 1


def size_text(size: float | None) -> str:
    """Bytes for people, in powers of 1000: "1.1 GB"."""
    if size is None:
        return "?"
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit in ("B", "kB") else f"{size:.1f} {unit}"
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


def masked(value: Any) -> Any:  # noqa: ANN401  # any JSON value
    """``value`` with passwords and tokens taken out of every string."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, dict):
        return {key: masked(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def routes_document(
    choices: Sequence[RouteChoice], machine: Machine, options: SetupOptions, texts: Texts
) -> dict[str, object]:
    """The document of ``setup routes --json``; its schema is ``setup_routes.json``."""
    best = _best(choices)
    rows: list[dict[str, object]] = []
    for choice in choices:
        row = msgspec.to_builtins(choice.route)
        row["sources"] = [
            {key: source[key] for key in ("id", "kind", "url", "requirements", "pre")} for source in row["sources"]
        ]
        row |= {
            "title": pick(choice.route.title, texts.language),
            "summary": pick(choice.route.summary, texts.language),
            "limits": [pick(limit, texts.language) for limit in choice.route.limits],
            "fits": choice.fits,
            "best": choice is best,
            "official": choice.official,
            "gfx_target": choice.gfx_target,
            "reasons": _told(choice.reasons, "unfit", texts),
            "cautions": _told(choice.cautions, "caution", texts),
        }
        del row["guide"], row["system_commands"], row["rank"]
        rows.append(row)
    return {
        "schema": SCHEMA,
        "gpu": judged_gpu(machine, options),
        "best": best.route.id if best else None,
        "routes": rows,
    }


def _told(reasons: Sequence[Unfit], kind: str, texts: Texts) -> list[dict[str, object]]:
    sentences = reason_texts(kind, reasons, texts)
    return [
        {"code": reason.code, "facts": reason.facts, "text": text}
        for reason, text in zip(reasons, sentences, strict=True)
    ]


def _best(choices: Sequence[RouteChoice]) -> RouteChoice | None:
    return next((choice for choice in choices if choice.fits and choice.route.kind != "guide"), None)


def write_routes(
    out: Output, choices: Sequence[RouteChoice], machine: Machine, options: SetupOptions, *, everything: bool
) -> None:
    """The routes as text: what can be installed, and with ``everything`` the rest and why it does not fit."""
    texts = out.texts
    gpu = judged_gpu(machine, options)
    gfx = options.gfx_target or (gpu.gfx_target if gpu else None)
    best = _best(choices)
    out.report(texts.get("route.list.heading"))
    if gfx is None:
        out.report(texts.get("route.list.no_gpu"))
    else:
        out.report(texts.get("route.list.gpu", gpu=gpu.name if gpu else None, gfx=gfx))
    out.report()
    shown = [choice for choice in choices if everything or (choice.fits and choice.route.kind != "guide")]
    for choice in shown:
        _write_route(out, choice, best=choice is best)
    hidden = len(choices) - len(shown)
    if hidden:
        out.report(texts.get("route.list.more", count=hidden))
    if best is not None:
        out.report(texts.get("route.list.next", route=best.route.id))


def _write_route(out: Output, choice: RouteChoice, *, best: bool) -> None:
    texts, route = out.texts, choice.route
    if not choice.fits:
        mark, words = out.mark("fail"), [texts.get("route.list.unfit")]
    elif route.kind == "guide":
        mark, words = " ", [texts.get("route.list.guide")]
    else:
        mark = out.mark("warn" if choice.cautions else "ok")
        words = [texts.get("route.list.best" if best else "route.list.fits")]
    if choice.official:
        words.append(texts.get("route.list.official"))
    if route.origin == "user":
        words.append(texts.get("route.list.own"))
    if route.download_bytes and choice.fits:
        words.append(texts.get("setup.plan.download", size=size_text(route.download_bytes)))
    out.report(f"{mark} {route.id}  ({', '.join(words)})")
    out.report(f"    {pick(route.title, texts.language)}")
    for sentence in (
        *reason_texts("unfit", choice.reasons, texts),
        *(reason_texts("caution", choice.cautions, texts) if choice.fits else ()),
    ):
        out.report(f"    - {sentence}")


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


class PlanReport:
    """A plan as text."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._texts = out.texts

    def write(self, plan: Plan, apply: tuple[str, ...] | None = None) -> None:
        """All of it; ``apply`` is the command that carries it out."""
        texts, windows = self._texts, "\\" in plan.target
        self._say(texts.get("setup.plan.heading", title=plan.route_id))
        if plan.kind == "install":
            self._say(f"  {texts.get('setup.plan.target')}: {plan.target}")
        if plan.gfx_target:
            self._say(f"  {texts.get('setup.plan.gpu')}: {plan.gfx_target}")
        if plan.notices:
            self._say(f"  {texts.get('setup.plan.remarks')}:")
        for notice in plan.notices:
            self._say("  - " + texts.get(f"setup.notice.{notice.code}", **notice.facts))
        if plan.guide:
            self._say(f"\n{texts.get('setup.plan.by_you')}:")
        for number, step in enumerate(plan.guide, start=1):
            self._guide(number, step)
        for number, step in enumerate(plan.steps, start=1):
            self._step(number, step, windows=windows)
        self._say("")
        if plan.kind == "guide":
            self._say(texts.get("setup.plan.guide_next"))
        elif apply is not None:
            self._say(texts.get("setup.plan.next", command=shown_command(apply, windows=windows)))

    def _say(self, text: str) -> None:
        self._out.report(mask_secrets(text))

    def _guide(self, number: int, step: GuideStep) -> None:
        self._say(f"{number}. {pick(step.text, self._texts.language)}")
        for line in step.lines:
            self._say(f"     {line}")

    def _step(self, number: int, step: Step, *, windows: bool) -> None:
        self._say(f"\n{number}. {self._texts.get(f'setup.step.{step.id}')}")
        for command in step.commands:
            self._say(f"     $ {shown_command(command, windows=windows)}")
        if step.variables:
            values = ", ".join(f"{name}={value}" for name, value in step.variables.items())
            self._say(f"       {self._texts.get('setup.plan.variables', values=values)}")
        for change in step.changes:
            self._say(f"     {self._change(change)}")

    def _change(self, change: Change) -> str:
        text = self._texts.get(f"setup.change.{change.kind}", path=change.path)
        if change.kind == "download" and change.size_bytes:
            return f"{text}, {self._texts.get('setup.plan.download', size=size_text(change.size_bytes))}"
        if change.kind == "install" and change.size_bytes:
            return f"{text}, {self._texts.get('setup.plan.disk', size=size_text(change.size_bytes))}"
        return text
