"""Sources of a machine that is made of folders below a temporary one and of recorded answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocm_gui.system.process import Completed
from rocm_gui.system.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

REPOSITORY = Path(__file__).resolve().parent.parent


class RecordedRun:
    """Stands for ``process.run``: answers by the program's file name, "no such program" for all others."""

    def __init__(self, answers: Mapping[str, str | Completed | Callable[[Sequence[str]], Completed]] | None = None):
        self.answers = dict(answers or {})
        self.calls: list[tuple[str, ...]] = []

    def __call__(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
        input_text: str | None = None,
    ) -> Completed:
        command = tuple(argv)
        self.calls.append(command)
        answer = self.answers.get(command[0].replace("\\", "/").rsplit("/", 1)[-1])
        if answer is None:
            return Completed(command, None, "", "", 0.0, missing=True)
        if isinstance(answer, str):
            return Completed(command, 0, answer, "", 0.01)
        return answer if isinstance(answer, Completed) else answer(command)


def make_sources(root: Path, **changes: Any) -> Sources:
    """Sources whose every folder lies below ``root``; nothing of the real machine shows through."""
    home = root / "home"
    home.mkdir(parents=True, exist_ok=True)
    values: dict[str, Any] = {
        "platform": "linux",
        "environ": {},
        "home": home,
        "resources": REPOSITORY / "resources",
        "run": RecordedRun(),
        "system_sysfs": root / "sys",
        "proc_root": root / "proc",
        "dev_root": root / "dev",
        "etc_root": root / "etc",
        "opt_root": root / "opt",
        "program_folders": (),
    }
    return Sources(**(values | changes))


def write(path: Path, text: str = "", *, executable: bool = False) -> Path:
    """A file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    if executable:
        path.chmod(0o755)
    return path
