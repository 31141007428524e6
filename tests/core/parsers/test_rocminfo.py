from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.parsers.rocminfo import RocmAgent, parse_rocminfo

LISTING = """\
\x1b[37mROCk module version 6.16.6 is loaded\x1b[0m
=====================
HSA Agents
=====================
*******
Agent 1
*******
  Name:                    AMD Ryzen 7 9800X3D 8-Core Processor
  Uuid:                    CPU-XX
  Marketing Name:          AMD Ryzen 7 9800X3D 8-Core Processor
  Vendor Name:             CPU
  Node:                    0
  Device Type:             CPU
  Chip ID:                 0(0x0)
  BDFID:                   0
  Compute Unit:            16
  Pool Info:
    Pool 1
      Segment:                 GLOBAL; FLAGS: COARSE GRAINED
      Size:                    65536000(0x3e80000) KB
  ISA Info:
*******
Agent 2
*******
  Name:                    gfx1201
  Uuid:                    GPU-0123456789abcdef
  Marketing Name:          AMD Radeon RX 9070 XT
  Vendor Name:             AMD
  Queue Max Size:          131072(0x20000)
  Node:                    1
  Device Type:             GPU
  Cache Info:
    L1:                      32(0x20) KB
  Chip ID:                 30032(0x7550)
  BDFID:                   768
  Compute Unit:            64
  Pool Info:
    Pool 1
      Segment:                 GLOBAL; FLAGS: COARSE GRAINED
      Size:                    16695296(0xfec000) KB
    Pool 2
      Segment:                 GROUP
      Size:                    64(0x40) KB
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx1201
    ISA 2
      Name:                    amdgcn-amd-amdhsa--gfx12-generic
*******
Agent 3
*******
  Name:                    aie2
  Uuid:                    AIE-XX
  Marketing Name:          AIE-ML
  Device Type:             DSP
  BDFID:                   0
*** Done ***
"""


def test_gpu_agents_only():
    info = parse_rocminfo(LISTING)
    assert info.agents == (
        RocmAgent(
            gfx_target="gfx1201",
            name="AMD Radeon RX 9070 XT",
            isa="gfx1201",
            uuid="GPU-0123456789abcdef",
            pci_id="1002:7550",
            pci_address="0000:03:00.0",
            node=1,
            compute_units=64,
            memory_bytes=16695296 * 1024,
        ),
    )
    assert (info.module_loaded, info.module_version, info.problems) == (True, "6.16.6", ())


def test_an_indented_or_grepped_copy_reads_the_same():
    indented = "\n".join(f"    {line}" for line in LISTING.splitlines())
    assert parse_rocminfo(indented).agents == parse_rocminfo(LISTING).agents
    assert parse_rocminfo(LISTING.replace("\n", "\r\n")).agents == parse_rocminfo(LISTING).agents
    grepped = "\n".join(line for line in LISTING.splitlines() if "Name:" in line)
    (agent,) = parse_rocminfo(grepped).agents
    assert (agent.gfx_target, agent.name, agent.memory_bytes, agent.node) == (
        "gfx1201",
        "AMD Radeon RX 9070 XT",
        None,
        None,
    )


def test_one_address_for_several_agents_is_no_address():
    agent = LISTING[LISTING.index("*******\nAgent 2") : LISTING.index("*******\nAgent 3")]
    info = parse_rocminfo(agent + agent.replace("0123456789abcdef", "fedcba9876543210"))
    assert [agent.pci_address for agent in info.agents] == [None, None]


@pytest.mark.parametrize(
    ("text", "problems", "group"),
    [
        ("\x1b[31mROCk module is NOT loaded, possibly no GPU devices\x1b[0m", ("module_not_loaded",), None),
        (
            (
                "ROCk module is loaded\nUnable to open /dev/kfd read-write: Permission denied\n"
                'user is not member of "render" group, the default DRM access group.'
            ),
            ("kfd_denied", "not_in_group"),
            "render",
        ),
        (
            (
                "ROCk module is loaded\nUnable to open /dev/kfd read-write: Permission denied\n"
                "user is member of render group"
            ),
            ("kfd_denied",),
            None,
        ),
        (
            (
                "ROCk module is NOT loaded, possibly no GPU devices\n"
                "Unable to open /dev/kfd read-write: No such file or directory\n"
                "hsa api call failure at: rocminfo.cc:1142\nCall returned HSA_STATUS_ERROR_OUT_OF_RESOURCES: ..."
            ),
            ("module_not_loaded", "kfd_missing", "out_of_resources"),
            None,
        ),
        ("Call returned HSA_STATUS_ERROR_INVALID_ARGUMENT: ...", ("runtime_failed",), None),
        ("", (), None),
    ],
)
def test_reasons_why_there_is_nothing(text, problems, group):
    info = parse_rocminfo(text)
    assert (info.agents, info.problems, info.missing_group) == ((), problems, group)


def test_wsl():
    info = parse_rocminfo(
        "pid:1 tid:0x1 [topology_sysfs_get_system_props] No WDDM adapters found.\n"
        "WSL environment detected.\nhsa_init Failed, possibly no supported GPU devices\n"
    )
    assert info.wsl
    assert info.problems == ("no_wddm_adapter", "no_supported_device")


@given(st.text(max_size=400))
def test_any_text_is_survived(text):
    parse_rocminfo(text)
    parse_rocminfo(LISTING[:600] + text + LISTING[600:])


# sample -> target, name, PCI id and address of each agent
SAMPLES = {
    "2x-rx7900xtx-rocm57.txt": [
        ("gfx1100", "Radeon RX 7900 XTX", "1002:744c", "0000:03:00.0"),
        ("gfx1100", "Radeon RX 7900 XTX", "1002:744c", "0000:06:00.0"),
    ],
    "derived-cpu-agent-only.txt": [],
    "grep-780m-override-1102-npu.txt": [("gfx1102", "AMD Radeon Graphics", None, None)],
    "mi300x-one-agent-prompt.txt": [("gfx942", "AMD Instinct MI300X", "1002:74a1", "0000:c6:00.0")],
    "mi300x-x4.txt": [
        ("gfx942", "AMD Instinct MI300X", "1002:74a1", f"0000:{bus}:00.0") for bus in ("26", "46", "65", "85")
    ],
    "mi25-x6-threadripper.txt": [
        ("gfx900", "Radeon Instinct MI25", "1002:6860", f"0000:{bus}:00.0")
        for bus in ("63", "66", "43", "46", "30", "03", "06")
    ],
    "rocprof-sysinfo-hipprog.txt": [("gfx942", "AMD Instinct MI300A", "1002:74a0", None)] * 4,
    "rx6700xt-vbs.txt": [("gfx1030", "AMD Radeon RX 6700 XT", "1002:73df", "0000:03:00.0")],
    "strix-halo-gfx1151-with-npu.txt": [("gfx1151", "Radeon 8060S Graphics", "1002:1586", "0000:c2:00.0")],
    "wsl2-rx7900xtx-613.txt": [("gfx1100", "AMD Radeon RX 7900 XTX", "1002:744c", None)],
}


@pytest.mark.samples
@pytest.mark.parametrize("name", SAMPLES)
def test_recorded_listing(samples, name):
    info = parse_rocminfo((samples / "rocminfo" / name).read_text(encoding="utf-8", errors="replace"))
    found = [(agent.gfx_target, agent.name, agent.pci_id, agent.pci_address) for agent in info.agents]
    assert found == SAMPLES[name]
    assert info.problems == ()


@pytest.mark.samples
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("derived-error-kfd-permission.txt", "kfd_denied"),
        ("derived-error-not-loaded.txt", "module_not_loaded"),
        ("error-kfd-missing-hsa-oor.txt", "module_not_loaded"),
        ("error-not-loaded-old-color.txt", "module_not_loaded"),
        ("error-permission-but-member.txt", "kfd_denied"),
        ("error-permission-no-username-docker.txt", "kfd_denied"),
        ("error-permission-render-group-wrapped.txt", "kfd_denied"),
        ("error-wsl-no-wddm-adapters.txt", "no_wddm_adapter"),
    ],
)
def test_recorded_error(samples, name, problem):
    info = parse_rocminfo((samples / "rocminfo" / name).read_text(encoding="utf-8", errors="replace"))
    assert info.agents == ()
    assert info.problems[0] == problem
