"""What ``rocminfo`` prints (ROCm 5.7 to 10, Linux and WSL), typed: GPU agents and the reasons why there are none.

It is read by keys, not by columns, so that shortened, coloured or re-indented copies are understood as well.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from rocm_gui.core.gpu_table import base_gfx_target
from rocm_gui.core.parsers.sysfs import address_of_location

RocminfoProblem = Literal[
    "module_not_loaded",  # no amdgpu kernel module
    "kfd_missing",  # no /dev/kfd
    "kfd_denied",  # /dev/kfd may not be opened
    "not_in_group",  # the tool names a group that this user lacks
    "no_wddm_adapter",  # WSL: the Windows driver offers no adapter
    "no_supported_device",  # the runtime started and found nothing that it can use
    "out_of_resources",
    "runtime_failed",  # another HSA status
]

_ANSI = re.compile(r"\x1b?\[[0-9;]*m")
_FIELD = re.compile(r"^\s*([A-Za-z][\w .()/-]*?)\s*:\s*(.*?)\s*$")
_SIZE_KB = re.compile(r"^(\d+)\s*(?:\(0x[0-9a-f]+\))?\s*KB$", re.IGNORECASE)
_GROUP = re.compile(r'user is not member of "?(\w+)"? group')
_MODULE = re.compile(r"ROCk module (?:version (\S+) )?is (NOT )?loaded")
_PROBLEMS: tuple[tuple[str, RocminfoProblem], ...] = (
    ("ROCk module is NOT loaded", "module_not_loaded"),
    ("Unable to open /dev/kfd read-write: No such file", "kfd_missing"),
    ("Unable to open /dev/kfd read-write: Permission denied", "kfd_denied"),
    ("user is not member of", "not_in_group"),
    ("No WDDM adapters found", "no_wddm_adapter"),
    ("possibly no supported GPU devices", "no_supported_device"),
    ("HSA_STATUS_ERROR_OUT_OF_RESOURCES", "out_of_resources"),
    ("HSA_STATUS_ERROR", "runtime_failed"),
)


class RocmAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A GPU agent."""

    gfx_target: str  # "gfx942"; under HSA_OVERRIDE_GFX_VERSION the pretended one
    name: str | None = None  # marketing name as printed, also the meaningless "AMD Radeon Graphics"
    isa: str | None = None  # "gfx942:sramecc+:xnack-"
    uuid: str | None = None
    pci_id: str | None = None  # "1002:74a1", from the chip id
    pci_address: str | None = None
    node: int | None = None  # KFD node
    compute_units: int | None = None
    memory_bytes: int | None = None  # largest coarse-grained pool: VRAM, or shared memory of an APU


class Rocminfo(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the tool."""

    agents: tuple[RocmAgent, ...] = ()
    problems: tuple[RocminfoProblem, ...] = ()  # root cause first
    missing_group: str | None = None
    module_loaded: bool | None = None
    module_version: str | None = None
    wsl: bool = False


class _Agent:
    """The fields of an agent while its lines go by."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: dict[str, str] = {}
        self.isa: str | None = None
        self.pool_sizes: list[int] = []
        self.coarse = False

    def take(self, key: str, value: str) -> None:
        """One ``key: value`` line below the agent's name."""
        if key == "Segment":
            self.coarse = "COARSE GRAINED" in value and "KERNARG" not in value
        elif key == "Size" and self.coarse and (size := _SIZE_KB.match(value)):
            self.pool_sizes.append(int(size.group(1)) * 1024)
        elif value:
            self.fields.setdefault(key, value)

    def typed(self) -> RocmAgent | None:
        """The agent, or None for CPUs, NPUs and whatever else is no GPU."""
        target = base_gfx_target(self.name)
        if target is None or target != self.name or self.fields.get("Device Type", "GPU") != "GPU":
            return None
        chip, location = _leading_number(self.fields.get("Chip ID")), _leading_number(self.fields.get("BDFID"))
        domain = _leading_number(self.fields.get("Domain")) or 0
        uuid = self.fields.get("Uuid")
        return RocmAgent(
            gfx_target=target,
            name=self.fields.get("Marketing Name"),
            isa=self.isa,
            uuid=uuid if uuid and "XX" not in uuid else None,
            pci_id=f"1002:{chip:04x}" if chip else None,
            pci_address=address_of_location(location, domain) if location else None,
            node=_leading_number(self.fields.get("Node")),
            compute_units=_leading_number(self.fields.get("Compute Unit")) or None,
            memory_bytes=max(self.pool_sizes, default=None),
        )


def parse_rocminfo(text: str) -> Rocminfo:
    """Standard output and standard error of ``rocminfo``, in any order."""
    plain = _ANSI.sub("", text)
    agents: list[_Agent] = []
    for line in plain.splitlines():
        field = _FIELD.match(line)
        if field is None:
            continue
        key, value = field.groups()
        if key == "Name" and value.startswith("amdgcn-"):
            if agents and agents[-1].isa is None:
                agents[-1].isa = value.rpartition("--")[2] or None
        elif key == "Name":
            agents.append(_Agent(value))
        elif agents:
            agents[-1].take(key, value)
    typed = [agent for agent in map(_Agent.typed, agents) if agent is not None]
    module, group = _MODULE.search(plain), _GROUP.search(plain)
    return Rocminfo(
        agents=_without_doubtful_addresses(typed),
        problems=_problems(plain),
        missing_group=group.group(1) if group else None,
        module_loaded=module.group(2) is None if module else None,
        module_version=module.group(1) if module else None,
        wsl="WSL environment detected" in plain,
    )


def _without_doubtful_addresses(agents: list[RocmAgent]) -> tuple[RocmAgent, ...]:
    """The PCI domain is not printed: where several agents show one address it is true of one of them at most."""
    seen = [agent.pci_address for agent in agents]
    return tuple(
        msgspec.structs.replace(agent, pci_address=None) if seen.count(agent.pci_address) > 1 else agent
        for agent in agents
    )


def _problems(text: str) -> tuple[RocminfoProblem, ...]:
    found: list[RocminfoProblem] = [code for sign, code in _PROBLEMS if sign in text]
    named = "out_of_resources" in found
    return tuple(code for code in found if not (named and code == "runtime_failed"))


def _leading_number(text: str | None) -> int | None:
    """29857 of ``29857(0x74a1)``."""
    found = re.match(r"\d{1,18}", text) if text else None
    return int(found.group(0)) if found else None
