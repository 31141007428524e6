"""Prepared sets of variables: those of the tutorial, judged for this machine, and those of a distributed launch."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Literal

import msgspec

from rocm_gui.core import path_list
from rocm_gui.core.variables import SCOPES, Edit, EnvState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OVERRIDE = "HSA_OVERRIDE_GFX_VERSION"

ItemCode = Literal[
    "rocm_path_none", "rocm_path_stale", "rocm_path_stands", "path_stale", "path_none", "path_stands",
    "override_none", "override_no_effect", "override_needless", "override_needed", "hip_path_stands",
]  # fmt: skip


ScriptKind = Literal["sh", "cmd", "ps1"]


class SetItem(msgspec.Struct, frozen=True, kw_only=True):
    """One variable of the tutorial: what is so here (``[env.set.CODE]``) and the edits that are offered."""

    name: str
    code: ItemCode
    facts: dict[str, str | int] = {}
    edits: tuple[Edit, ...] = ()


def tutorial_items(
    state: EnvState, exists: Callable[[str], bool | None], overrides: Sequence[tuple[str, str, str]] = ()
) -> tuple[SetItem, ...]:
    """ROCM_PATH, its folders in PATH, and the override, each with what fits this machine.

    ``overrides``: (GPU, gfx target, value) for every GPU whose chosen route needs the override (Linux only).
    """
    return (_rocm_path(state, exists), _folders(state, exists), _override(state, overrides), *_hip_path(state))


def _stands(state: EnvState, name: str) -> list[tuple[str, str]]:
    found = [(scope, state.scope(scope).get(name, windows=state.windows)) for scope in SCOPES]
    return [(scope, pair[1].text or "") for scope, pair in found if pair is not None]


def _unset(state: EnvState, name: str) -> tuple[Edit, ...]:
    return tuple(
        Edit(kind="unset", scope=scope, name=name)
        for scope in SCOPES
        if state.scope(scope).get(name, windows=state.windows)
    )


def _rocm_path(state: EnvState, exists: Callable[[str], bool | None]) -> SetItem:
    stands = _stands(state, "ROCM_PATH")
    if not stands:
        return SetItem(name="ROCM_PATH", code="rocm_path_none")
    value = stands[-1][1]
    if exists(path_list.expand(value, state.environ, windows=state.windows)) is False:
        return SetItem(
            name="ROCM_PATH", code="rocm_path_stale", facts={"value": value}, edits=_unset(state, "ROCM_PATH")
        )
    return SetItem(name="ROCM_PATH", code="rocm_path_stands", facts={"value": value})


def _folders(state: EnvState, exists: Callable[[str], bool | None]) -> SetItem:
    edits: list[Edit] = []
    rocm: list[str] = []
    for scope, text in zip(SCOPES, state.path_texts(), strict=True):
        for raw in path_list.split(text, windows=state.windows):
            folder = path_list.expand(raw.strip(), state.environ, windows=state.windows).replace('"', "")
            if "rocm" not in raw.lower() or "rocm_gui" in raw.lower():
                continue
            rocm.append(raw)
            broken = "%rocm_path%" in folder.lower() or folder.lower().startswith(("\\bin", "\\lib"))
            if broken or exists(folder) is False:
                edits.append(Edit(kind="remove", scope=scope, name="PATH", text=raw))
    if edits:
        folders = ", ".join(edit.text for edit in edits)
        facts = {"folders": folders, "count": len(edits)}
        return SetItem(name="PATH", code="path_stale", facts=facts, edits=tuple(edits))
    if rocm:
        return SetItem(name="PATH", code="path_stands", facts={"folders": ", ".join(rocm)})
    return SetItem(name="PATH", code="path_none")


def _override(state: EnvState, overrides: Sequence[tuple[str, str, str]]) -> SetItem:
    stands = _stands(state, OVERRIDE)
    if state.windows:
        if not stands:
            return SetItem(name=OVERRIDE, code="override_none")
        return SetItem(
            name=OVERRIDE, code="override_no_effect", facts={"value": stands[-1][1]}, edits=_unset(state, OVERRIDE)
        )
    if overrides:
        gpu, gfx, value = overrides[0]
        return SetItem(name=OVERRIDE, code="override_needed", facts={"gpu": gpu, "gfx": gfx, "value": value})
    value = stands[-1][1] if stands else state.environ.get(OVERRIDE)
    if value is None:
        return SetItem(name=OVERRIDE, code="override_none")
    return SetItem(name=OVERRIDE, code="override_needless", facts={"value": value}, edits=_unset(state, OVERRIDE))


def _hip_path(state: EnvState) -> tuple[SetItem, ...]:
    value = state.environ.get("HIP_PATH")
    return (SetItem(name="HIP_PATH", code="hip_path_stands", facts={"value": value}),) if value else ()


class Interface(msgspec.Struct, frozen=True, kw_only=True):
    """A network interface of this computer."""

    name: str
    addresses: tuple[str, ...] = ()
    up: bool = True
    speed_mbit_s: int | None = None
    is_default: bool = False  # the way to other computers
    virtual: bool = False  # loopback, containers, tunnels


def order_interfaces(interfaces: Sequence[Interface]) -> tuple[Interface, ...]:
    """Those that another computer can be reached by, best first; the rest behind."""
    return tuple(
        sorted(
            interfaces,
            key=lambda i: (i.virtual, not i.up, not i.addresses, not i.is_default, -(i.speed_mbit_s or 0), i.name),
        )
    )


def launch_variables(interface: str | None, *, windows: bool, debug: bool = True) -> dict[str, str]:
    """What a distributed launch sets. On Windows there is no NCCL or RCCL, so nothing of theirs."""
    variables: dict[str, str] = {}
    if interface is not None:
        if not windows:
            variables["NCCL_SOCKET_IFNAME"] = interface
        variables["GLOO_SOCKET_IFNAME"] = interface
    if debug and not windows:
        variables["NCCL_DEBUG"] = "INFO"
    return variables


def launch_script(variables: dict[str, str], kind: ScriptKind) -> str:
    """The lines for a launch script; they hold for what the script starts, not for the account."""
    if kind == "sh":
        return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    if kind == "cmd":
        return "".join(f'set "{name}={value.replace("%", "%%")}"\r\n' for name, value in variables.items())
    return "".join(f"$env:{name} = '{value.replace(chr(39), chr(39) * 2)}'\r\n" for name, value in variables.items())
