"""Failed jobs are found again from their records, with what they said."""

from __future__ import annotations

import sys

import pytest

from rocm_gui.core.jobs import JobSpec, JobState
from rocm_gui.services import failed_jobs as module
from rocm_gui.services.failed_jobs import failed_jobs, read_job
from rocm_gui.services.job import Job


def ran(folder, job_id: str, program: str, **changes) -> str:
    spec = JobSpec(id=job_id, kind="pip", argv=(sys.executable, "-c", program), **{"protocol": "lines", **changes})
    job = Job(spec, folder)
    job.start()
    job.wait(30)
    job.close()
    return job_id


def test_only_what_went_wrong_is_told_newest_first(tmp_path) -> None:
    ran(tmp_path, "20261201-100000-pip-aaaa", "print('fine')")
    first = ran(
        tmp_path, "20261201-100001-pip-bbbb", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    )
    second = ran(tmp_path, "20261201-100002-pip-cccc", "import time; time.sleep(60)", total_timeout_s=0.2)
    found = failed_jobs(tmp_path)
    assert [(record.view.id, record.view.state) for record in found] == [
        (second, JobState.TIMED_OUT),
        (first, JobState.FAILED),
    ]
    assert found[1].view.exit_code == 3
    assert found[1].view.kind == "pip"
    assert found[1].argv[0] == sys.executable
    assert [record.view.id for record in failed_jobs(tmp_path, limit=1)] == [second]


def test_a_job_is_read_with_both_streams(tmp_path) -> None:
    name = ran(
        tmp_path, "20261201-100001-pip-bbbb", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    )
    record = read_job(tmp_path, name)
    assert record is not None
    assert record.text.splitlines() == ["out", "err"]
    assert not record.cut


def test_a_program_that_is_not_there_tells_why(tmp_path) -> None:
    job = Job(
        JobSpec(id="20261201-100003-x-dddd", kind="x", argv=("no-such-program-here",), protocol="lines"), tmp_path
    )
    job.start()
    job.wait(30)
    job.close()
    record = read_job(tmp_path, "20261201-100003-x-dddd")
    assert record is not None
    assert record.view.state is JobState.FAILED
    assert record.text


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "a\\b", "C:x", "nothing"])
def test_names_that_are_no_jobs_are_none(tmp_path, name) -> None:
    assert read_job(tmp_path, name) is None


def test_damaged_and_flooded_records_are_read_as_far_as_they_are_sound(tmp_path, monkeypatch) -> None:
    name = ran(tmp_path, "20261201-100001-pip-bbbb", "import sys; [print('line', i) for i in range(2000)]; sys.exit(3)")
    record = tmp_path / f"{name}.jsonl"
    record.write_bytes(record.read_bytes() + b'{"type": "log", "te')
    whole = read_job(tmp_path, name)
    assert whole is not None
    assert len(whole.text.splitlines()) == 2000
    monkeypatch.setattr(module, "RECORD_READ_BYTES", 4000)
    monkeypatch.setattr(module, "TAIL_BYTES", 4000)
    part = read_job(tmp_path, name)
    assert part is not None
    assert part.cut
    assert part.view.state is JobState.FAILED
    assert "line 1999" in part.text


def test_a_folder_that_is_not_there_holds_nothing(tmp_path) -> None:
    assert failed_jobs(tmp_path / "none") == ()
