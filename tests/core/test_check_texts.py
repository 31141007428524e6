"""Every answer of every rule has its sentences, in both languages, with every placeholder filled."""

from __future__ import annotations

import ast
import string
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import machines as m
import msgspec
import pytest
from check_cases import CHECKS, catalogue, context_of, routes
from hypothesis import given, settings
from hypothesis import strategies as st

import rocm_gui.core.check_rules as rules_package
from rocm_gui.core.check_rules import ALL_CHECKS
from rocm_gui.core.model import Machine, PipConfig, RocmInstall, TorchEnv, VisualStudio
from rocm_gui.core.route_choice import system_of
from rocm_gui.core.texts import LANGUAGES, Texts

if TYPE_CHECKING:
    from random import Random

PARTS = ("texts", "remedies")
FROM_VARIABLES = {"install_windows", "install_linux"}  # made of the system's name

CLUTTER = {
    "visual_studios": (VisualStudio(name="Visual Studio 2022", path="C:\\VS", msvc_version="14.44.35207"),),
    "rocm_installs": (
        RocmInstall(kind="hip_sdk", path="C:\\ROCm", version="7.2"),
        RocmInstall(kind="rocm", path="/opt/rocm-6.4", version="6.4.1"),
    ),
    "torch_envs": (TorchEnv(python="/e/python", torch_version="2.13.0+cpu", build="cpu"),),
    "pip_config": PipConfig(extra_index_urls=("https://a.example",), proxy="http://p:1"),
    "variables": {"HSA_OVERRIDE_GFX_VERSION": "11.0.0", "ROCM_PATH": "C:\\ROCm", "HIP_VISIBLE_DEVICES": "0"},
}
MACHINES = [
    build(**clutter)
    for build in (
        m.windows_one_radeon,
        m.windows_rx6000,
        m.windows_too_old_radeon,
        m.windows_apu_and_radeon,
        m.windows_nvidia_and_radeon,
        m.windows_no_amd,
        m.wsl_radeon,
        m.linux_one_radeon,
        m.linux_mi300x8,
        m.no_gpu,
    )
    for clutter in ({}, CLUTTER)
]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("check_id", CHECKS)
def test_each_check_is_described_in_both_languages(check_id):
    entry = catalogue()[check_id]
    assert entry["source"]
    assert entry["checked"] == "2026-12-01"
    assert set(entry) == {"title", "why", "source", "checked", "texts", "remedies"} or "remedies" not in entry
    leaves = [entry["title"], entry["why"], *entry["texts"].values(), *entry.get("remedies", {}).values()]
    for leaf in leaves:
        assert set(leaf) == set(LANGUAGES)
        assert all(leaf[language].strip() for language in LANGUAGES)
        assert placeholders(leaf["en"]) == placeholders(leaf["zh_CN"])


def test_checks_stand_in_groups_and_have_names_of_their_own():
    ids = [check.id for check in ALL_CHECKS]
    assert len(set(ids)) == len(ids)
    groups = [check.group for check in ALL_CHECKS]
    assert [group for index, group in enumerate(groups) if index == 0 or groups[index - 1] != group] == [
        "gpu",
        "system",
        "storage",
        "python",
        "tools",
        "environment",
    ]
    fields = set(Machine.__struct_fields__)
    assert all(set(check.probes) <= fields for check in ALL_CHECKS)


def test_no_sentence_is_left_that_no_rule_says():
    said = set(FROM_VARIABLES)
    for path in Path(rules_package.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    for check_id in CHECKS:
        for part in PARTS:
            unsaid = set(catalogue()[check_id].get(part, {})) - said - {"ok", "unknown"}
            assert not unsaid, f"{check_id}.{part}: {unsaid}"


def holes(value: object, random: Random) -> object:
    """``value`` with some fields, at any depth, turned into None where their type allows it."""
    if isinstance(value, msgspec.Struct):
        changes = {}
        for name, optional in optional_fields(type(value)):
            hole = optional and random.random() < 0.15
            changes[name] = None if hole else holes(getattr(value, name), random)
        return msgspec.structs.replace(value, **changes)
    if isinstance(value, tuple):
        return tuple(holes(item, random) for item in value)
    return value


@lru_cache
def optional_fields(kind: type[msgspec.Struct]) -> list[tuple[str, bool]]:
    return [(field.name, "None" in str(field.type)) for field in msgspec.structs.fields(kind)]


@settings(max_examples=150, deadline=None)
@given(
    machine=st.sampled_from(MACHINES),
    random=st.randoms(use_true_random=False),
    route=st.sampled_from([None, *sorted(routes())]),
    target=st.sampled_from([None, "C:\\" + "x" * 120, "D:\\显卡 1"]),
)
def test_no_rule_stumbles_and_no_answer_lacks_its_sentence(machine, random, route, target):
    machine = holes(machine, random)
    context = context_of(machine, route_id=route, target=target)
    texts = {language: Texts(catalogue(), language) for language in LANGUAGES}
    for check in ALL_CHECKS:
        known = all(getattr(machine, probe) is not None for probe in check.probes)
        if not known or (system_of(machine.host) not in check.systems):
            continue
        result = check.judge(context)
        if result is None:
            continue
        assert (result.id, result.group) == (check.id, check.group)
        for language in LANGUAGES:
            codes = [f"{check.id}.texts.{result.text}"]
            codes += [f"{check.id}.remedies.{result.remedy}"] if result.remedy else []
            for code in codes:
                assert texts[language].has(code), code
                assert "{" not in texts[language].get(code, **result.facts)


def test_what_must_be_fixed_says_how():
    for machine in MACHINES:
        for route in (None, "amd-windows-10.1", "cpu", "therock-linux"):
            context = context_of(machine, route_id=route, target="C:\\" + "x" * 120)
            for check in ALL_CHECKS:
                if all(getattr(machine, probe) is not None for probe in check.probes):
                    result = check.judge(context)
                    assert result is None or result.status != "fail" or result.remedy, (check.id, result)
