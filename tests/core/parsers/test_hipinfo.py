from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.parsers.hipinfo import HipDevice, parse_hipinfo

LISTING = """
--------------------------------------------------------------------------------
device#                           0
Name:                             AMD Radeon RX 9070 XT
pciBusID:                         10
pciDeviceID:                      0
pciDomainID:                      0
multiProcessorCount:              32
totalGlobalMem:                   15.92 GB
warpSize:                         32
isIntegrated:                     0
gcnArchName:                      gfx1201
peers:
non-peers:                        device#0 device#1

memInfo.total:                    15.92 GB
memInfo.free:                     15.77 GB (99%)
--------------------------------------------------------------------------------
device#                           1
Name:                             AMD Radeon(TM) Graphics
pciBusID:                         202
pciDeviceID:                      0
pciDomainID:                      0
isIntegrated:                     1
gcnArchName:                      gfx90c:xnack-
"""


def test_devices():
    assert parse_hipinfo(LISTING) == (
        HipDevice(
            index=0,
            name="AMD Radeon RX 9070 XT",
            gfx_target="gfx1201",
            arch="gfx1201",
            pci_address="0000:0a:00.0",
            integrated=False,
            multiprocessors=32,
            memory_bytes=round(15.92 * 1024**3),
            warp_size=32,
        ),
        HipDevice(
            index=1,
            name="AMD Radeon(TM) Graphics",
            gfx_target="gfx90c",
            arch="gfx90c:xnack-",
            pci_address="0000:ca:00.0",
            integrated=True,
        ),
    )


@pytest.mark.parametrize(
    "text", ["", "error: 'no ROCm-capable device is detected'(100) at hipInfo.cpp:200", "device# x"]
)
def test_no_device(text):
    assert parse_hipinfo(text) == ()


@given(st.text(max_size=300))
def test_any_text_is_survived(text):
    parse_hipinfo(text)
    parse_hipinfo(LISTING[:300] + text + LISTING[300:])


@pytest.mark.samples
@pytest.mark.parametrize(
    ("name", "devices"),
    [
        (
            "hipinfo-win-rx5700-890m.txt",
            [
                ("AMD Radeon RX 5700", "gfx1010", "0000:c8:00.0", False),
                ("AMD Radeon(TM) 890M Graphics", "gfx1150", "0000:ca:00.0", True),
            ],
        ),
        ("hipinfo-win-rx7900xtx-sdk62.txt", [("AMD Radeon RX 7900 XTX", "gfx1100", "0000:03:00.0", False)]),
    ],
)
def test_recorded_listing(samples, name, devices):
    found = parse_hipinfo((samples / "rocminfo" / name).read_text(encoding="utf-8"))
    assert [(one.name, one.gfx_target, one.pci_address, one.integrated) for one in found] == devices
