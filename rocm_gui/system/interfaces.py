"""The network interfaces of this computer."""

from __future__ import annotations

import re
import socket

import psutil

from rocm_gui.core.env_sets import Interface, order_interfaces

_VIRTUAL = re.compile(
    r"lo\d*$|docker|veth|br-|virbr|vnet|tun|tap|tailscale|zt|wg|cni|flannel|cali|vethernet|loopback|vmware|virtualbox",
    re.IGNORECASE,
)


def read_interfaces() -> tuple[Interface, ...]:
    """All of them, the one by which other computers are reached first."""
    own = _own_address()
    states = psutil.net_if_stats()
    found: list[Interface] = []
    for name, addresses in psutil.net_if_addrs().items():
        texts = tuple(a.address.split("%")[0] for a in addresses if a.family in (socket.AF_INET, socket.AF_INET6))
        state = states.get(name)
        found.append(
            Interface(
                name=name,
                addresses=texts,
                up=state.isup if state is not None else True,
                speed_mbit_s=(state.speed or None) if state is not None else None,
                is_default=own is not None and own in texts,
                virtual=bool(_VIRTUAL.match(name)),
            )
        )
    return order_interfaces(found)


def _own_address() -> str | None:
    """The address that this computer would send from. Choosing it sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return None
