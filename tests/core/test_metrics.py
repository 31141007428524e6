"""The catalogue of metrics as it ships, and the struct of a sample."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from rocm_gui.core.metrics import load_metrics, shown_value
from rocm_gui.core.telemetry import NOT_AVAILABLE, GpuSample, Reading, Sample
from rocm_gui.system.datafiles import read_toml

METRICS = Path(__file__).parents[2] / "resources" / "data" / "metrics.toml"
UNIT_ENDS = {
    "%": "_percent", "W": "_w", "J": "_j", "°C": "_c", "MHz": "_mhz", "rpm": "_rpm", "GT/s": "_gt_s", "GiB": "_bytes",
    "GB": "_bytes", "GB/s": "_bytes_per_s", "mV": "_mv",
}  # fmt: skip


def test_every_metric_names_its_unit_and_speaks_both_languages() -> None:
    metrics = load_metrics(read_toml(METRICS))
    assert len(metrics) > 35
    for metric in metrics.values():
        assert metric.name.endswith(UNIT_ENDS.get(metric.unit, metric.name))
        for words in (metric.title, *([metric.remark] if metric.remark else [])):
            assert set(words) == {"en", "zh_CN"}
            assert all(words.values())


def test_a_name_may_stand_once() -> None:
    row = {"name": "a_w", "group": "power", "unit": "W", "title": {"en": "A", "zh_CN": "甲"}}
    with pytest.raises(ValueError, match="a_w stands twice"):
        load_metrics({"metric": [row, row]})


def test_values_are_shown_in_their_own_scale_and_missing_ones_as_a_dash() -> None:
    metrics = load_metrics(read_toml(METRICS))
    assert shown_value(metrics["vram_used_bytes"], 8.5 * 2**30) == "8.5"
    assert shown_value(metrics["power_w"], 0.0) == "0"
    assert shown_value(metrics["power_w"], None) == "–"
    assert shown_value(metrics["clock_gfx_mhz"], 2482) == "2,482"


def test_a_sample_is_the_documented_json_and_comes_back() -> None:
    gpu = GpuSample(id="0000:03:00.0", metrics={"power_w": Reading(41.0), "fan_rpm": NOT_AVAILABLE}, throttle=())
    sample = Sample(time=1.5, source="sysfs", gpus=(gpu,))
    text = msgspec.json.encode(sample)
    document = json.loads(text)
    assert document["type"] == "sample"
    assert document["gpus"][0]["metrics"] == {
        "power_w": {"value": 41.0, "quality": "ok"},
        "fan_rpm": {"value": None, "quality": "not_available"},
    }
    assert document["gpus"][0]["throttle"] == []
    assert msgspec.json.decode(text, type=Sample) == sample
