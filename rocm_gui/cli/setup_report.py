"""Routes and plans as text and as JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.command_line import shown_command
from rocm_gui.core.plan_report import plan_document, plan_is_windows, plan_lines, reason_texts, size_text
from rocm_gui.core.redact import mask_secrets
from rocm_gui.core.route_choice import judged_gpu
from rocm_gui.core.texts import pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.cli.output import Output
    from rocm_gui.core.model import Machine, SetupOptions
    from rocm_gui.core.plan import Plan
    from rocm_gui.core.routes import RouteChoice, Unfit
    from rocm_gui.core.texts import Texts

__all__ = ["PlanReport", "plan_document", "routes_document", "write_routes"]

SCHEMA = 1


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
    out.report(f"{mark} {route.id}{texts.aside(texts.listed(words))}")
    out.report(f"    {pick(route.title, texts.language)}")
    for sentence in (
        *reason_texts("unfit", choice.reasons, texts),
        *(reason_texts("caution", choice.cautions, texts) if choice.fits else ()),
    ):
        out.report(f"    - {sentence}")


class PlanReport:
    """A plan as text."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def write(self, plan: Plan, apply: tuple[str, ...] | None = None) -> None:
        """All of it; ``apply`` is the command that carries it out."""
        from rocm_gui.system.paths import default_paths
        from rocm_gui.system.route_files import read_route_book

        texts = self._out.texts
        routes = read_route_book(default_paths()).routes
        route = next((route for route in routes if route.id == plan.route_id), None)
        for line in plan_lines(plan, texts, route):
            self._out.report(line)
        self._out.report("")
        if plan.kind == "guide":
            self._out.report(texts.get("setup.plan.guide_next"))
        elif apply is not None:
            command = shown_command(apply, windows=plan_is_windows(plan))
            self._out.report(mask_secrets(texts.get("setup.plan.next", command=command)))
