"""The editor over a registry in memory and over a home folder: written as shown, kept, taken back byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.core.variables import Backup, Change, Edit, Value
from rocm_gui.services.env_editor import EnvEditor
from rocm_gui.services.env_elevated import serve_elevated, write_elevated
from rocm_gui.system.posix.environment import BEGIN, ProfileVariables
from rocm_gui.system.variables import MACHINE_KEY, USER_KEY
from rocm_gui.system.windows.environment import RegistryVariables
from rocm_gui.system.windows.registry import REG_BINARY, REG_EXPAND_SZ, REG_SZ, MemoryRegistry

USER = f"HKCU\\{USER_KEY}"
MACHINE = f"HKLM\\{MACHINE_KEY}"
# what real PATHs look like after years: quotes, references, repetitions, trailing separators, Chinese folders
LONG = ";".join(
    [r"%SystemRoot%\system32", '"C:\\Program Files\\a;b"', r"C:\工具\张三 的程序", "C:\\Windows\\", r"c:\windows", ""]
    + [rf"D:\软件\第 {number} 个\bin" + ("\\" if number % 3 else "") for number in range(230)]
    + [r"%USERPROFILE%\AppData\Local\Microsoft\WindowsApps", ""]
)


def registry(user: dict[str, object] | None = None, **more: object) -> MemoryRegistry:
    keys = {USER: user if user is not None else {"Path": (LONG, REG_EXPAND_SZ)}, MACHINE: {"Path": (r"C:\Windows", 2)}}
    return MemoryRegistry(keys, **more)  # type: ignore[arg-type]


def editor(memory: MemoryRegistry, tmp_path: Path, environ: dict[str, str] | None = None, **more: object) -> EnvEditor:
    store = RegistryVariables(memory, environ or {}, admin=bool(more.pop("admin", False)))
    own = environ if environ is not None else {}
    return EnvEditor(store, tmp_path / "env", own, **more)  # type: ignore[arg-type]


def edit(kind: str, name: str = "PATH", text: str = "", scope: str = "user", **more: object) -> Edit:
    return Edit(kind=kind, scope=scope, name=name, text=text, **more)  # type: ignore[arg-type]


def test_a_path_of_4000_characters_survives_add_remove_undo_in_every_byte(tmp_path: Path) -> None:
    assert len(LONG) > 4000
    memory = registry()
    environ = {"Path": r"C:\Windows;C:\venv\Scripts", "SYSTEMROOT": r"C:\Windows"}
    edits = editor(memory, tmp_path, environ)
    added = edits.apply(edits.preview([edit("add", text=r"C:\rocm\bin")]))
    assert added is not None
    data, kind = memory.values("HKCU", USER_KEY)["Path"]  # type: ignore[index]
    assert (data, kind) == (LONG[:-1] + r";C:\rocm\bin;", REG_EXPAND_SZ)
    assert edits.preview([edit("add", text="c:/ROCM/bin/")]).changes == ()
    edits.apply(edits.preview([edit("remove", text=r"C:\ROCM\BIN")]))
    assert memory.values("HKCU", USER_KEY) == {"Path": (LONG, REG_EXPAND_SZ)}
    edits.apply(edits.preview([edit("remove", text=r"C:\windows")]))
    assert memory.values("HKCU", USER_KEY) != {"Path": (LONG, REG_EXPAND_SZ)}
    edits.undo()
    assert memory.values("HKCU", USER_KEY) == {"Path": (LONG, REG_EXPAND_SZ)}


def test_every_batch_leaves_a_backup_that_restores(tmp_path: Path) -> None:
    memory = registry({"A": "1", "B": (b"\x01", REG_BINARY), "Path": (r"C:\a", REG_SZ)})
    edits = editor(memory, tmp_path)
    batch = edits.apply(edits.preview([edit("set", "A", "%x%"), edit("unset", "B"), edit("add", text=r"C:\b")]))
    assert batch is not None
    assert memory.values("HKCU", USER_KEY) == {"A": ("%x%", 2), "Path": (r"C:\a;C:\b", 1)}
    place = tmp_path / "env" / batch.id
    assert (place / "before.reg").read_bytes()[:2] == b"\xff\xfe"
    edits.apply(edits.preview_restore(place / "before.json"))
    assert memory.values("HKCU", USER_KEY) == {"A": ("1", 1), "Path": (r"C:\a", 1), "B": (b"\x01", REG_BINARY)}
    assert edits.preview_restore(place / "before.json").changes == ()


def test_what_changed_after_the_preview_is_not_overwritten(tmp_path: Path) -> None:
    memory = registry({"Path": (r"C:\a", REG_SZ)})
    edits = editor(memory, tmp_path)
    preview = edits.preview([edit("add", text=r"C:\b")])
    memory.set_value("HKCU", USER_KEY, "Path", r"C:\other", REG_SZ)
    with pytest.raises(AppError, match="env_changed_meanwhile"):
        edits.apply(preview)
    assert memory.values("HKCU", USER_KEY) == {"Path": (r"C:\other", REG_SZ)}
    assert edits.history() == ()


def test_undo_tells_a_conflict_and_takes_back_the_rest(tmp_path: Path) -> None:
    memory = registry({})
    edits = editor(memory, tmp_path)
    batch = edits.apply(edits.preview([edit("set", "A", "1"), edit("set", "B", "2")]))
    memory.set_value("HKCU", USER_KEY, "A", "mine", REG_SZ)
    _, preview = edits.undo()
    assert [change.name for change in preview.conflicts] == ["A"]
    assert memory.values("HKCU", USER_KEY) == {"A": ("mine", REG_SZ)}
    assert batch is not None
    edits.undo(batch.id, force=True)
    assert memory.values("HKCU", USER_KEY) == {}
    with pytest.raises(AppError, match="env_batch_undone"):
        edits.undo(batch.id)


def test_the_programs_own_environment_follows(tmp_path: Path) -> None:
    environ = {"PATH": r"C:\venv\Scripts;C:\old", "ROOT": r"D:\r"}
    edits = editor(registry({"Path": (r"C:\old", REG_SZ)}), tmp_path, environ)
    wanted = [edit("set", "ROCM_PATH", r"%ROOT%\rocm"), edit("add", text=r"%ROOT%\bin"), edit("remove", text=r"C:\old")]
    edits.apply(edits.preview(wanted))
    assert environ["ROCM_PATH"] == r"D:\r\rocm"
    assert environ["Path" if "Path" in environ else "PATH"].endswith(r"D:\r\bin")


def test_unreadable_is_not_empty(tmp_path: Path) -> None:
    edits = editor(registry(denied=(USER,)), tmp_path)
    assert edits.read().user.values is None
    with pytest.raises(AppError, match="env_unreadable"):
        edits.preview([edit("add", text=r"C:\b")])


def test_the_machines_scope_needs_rights_and_is_written_by_the_helper_as_shown(tmp_path: Path) -> None:
    memory = registry({}, protected=(MACHINE,))
    edits = editor(memory, tmp_path)
    preview = edits.preview([edit("set", "A", "1", scope="machine"), edit("set", "B", "2")])
    assert preview.needs_admin
    with pytest.raises(AppError, match="env_denied"):
        edits.apply(preview)
    assert memory.values("HKCU", USER_KEY) == {}  # refused before anything was written
    assert [batch.state for batch in edits.history()] == ["undone"]
    elevated_memory = registry({})
    store = RegistryVariables(elevated_memory, {}, admin=True)
    asked: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        asked.append(arguments)
        serve_elevated(store, Path(arguments[3]), arguments[5])
        return 0

    changes = tuple(change for change in preview.changes if change.scope == "machine")
    write_elevated(changes, tmp_path, run)
    assert asked[0][:3] == ["env", "write", "--request"]
    assert elevated_memory.values("HKLM", MACHINE_KEY)["A"] == ("1", REG_SZ)  # type: ignore[index]
    assert list(tmp_path.glob("re*-*.json")) == []
    with pytest.raises(AppError, match="env_changed_meanwhile"):
        write_elevated(changes, tmp_path, run)


def test_a_swapped_request_is_refused(tmp_path: Path) -> None:
    memory = registry({})
    store = RegistryVariables(memory, {}, admin=True)
    change = Change(scope="machine", name="A", before=None, after=Value(kind="REG_SZ", text="1"))

    def run(arguments: list[str]) -> int:
        Path(arguments[3]).write_bytes(Path(arguments[3]).read_bytes().replace(b'"1"', b'"2"'))
        with pytest.raises(AppError, match="env_request_refused"):
            serve_elevated(store, Path(arguments[3]), arguments[5])
        return 2

    with pytest.raises(AppError, match="elevation_failed"):
        write_elevated((change,), tmp_path, run)
    assert "A" not in (memory.values("HKLM", MACHINE_KEY) or {})


KILLED = """
import os, sys
from pathlib import Path
from rocm_gui.core.variables import Edit
from rocm_gui.services.env_editor import EnvEditor
from rocm_gui.system.posix.environment import ProfileVariables
class Store(ProfileVariables):
    count = 0
    def write(self, change):
        if self.count == 1:
            os.kill(os.getpid(), 9)
        super().write(change)
        self.count += 1
home = Path(sys.argv[1])
editor = EnvEditor(Store(home, "/bin/bash", {}), home / "state", {})
edits = [Edit(kind="set", scope="user", name=name, text="1") for name in "AB"]
editor.apply(editor.preview(edits))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_batch_killed_between_two_writes_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / ".profile").write_bytes(b"# mine\n")
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], env=env, check=False, timeout=60)
    assert done.returncode == -9
    edits = EnvEditor(ProfileVariables(tmp_path, "/bin/bash", {}), tmp_path / "state", {})
    assert [batch.state for batch in edits.history()] == ["writing"]
    assert set(edits.read().user.values or {}) == {"A"}
    edits.undo()
    assert (tmp_path / ".profile").read_bytes() == b"# mine\n"
    assert edits.read().user.values == {}


PROFILES = [None, b"", b"# mine\n", b"# no newline at the end", b"# crlf\r\nexport A=1\r\n", b"\xff\xfe not utf-8\n\n"]


@pytest.mark.skipif(sys.platform == "win32", reason="a profile of Linux")
@pytest.mark.parametrize("content", PROFILES)
@pytest.mark.parametrize("shell", ["/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/sh"])
def test_a_profile_stays_as_it_is_outside_the_block(tmp_path: Path, content: bytes | None, shell: str) -> None:
    store = ProfileVariables(tmp_path, shell, {})
    profile = store.profile
    if content is not None:
        profile.parent.mkdir(parents=True, exist_ok=True)
        profile.write_bytes(content)
    edits = EnvEditor(store, tmp_path / "state", {})
    edits.apply(edits.preview([edit("add", text="/opt/my rocm/bin"), edit("set", "ROCM_PATH", "/opt/o'ne")]))
    assert profile.read_bytes().startswith(content or b"")
    assert BEGIN.encode() in profile.read_bytes()
    edits.apply(edits.preview([edit("add", text="/opt/first", first=True)]))
    edits.undo()
    edits.undo()
    if content:
        assert profile.read_bytes() == content
    else:
        assert not profile.exists() or profile.read_bytes() == b""
    assert not store.conf.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Linux")
def test_the_shell_sees_what_was_set_once_however_often_it_reads(tmp_path: Path) -> None:
    store = ProfileVariables(tmp_path, "/bin/sh", {})
    edits = EnvEditor(store, tmp_path / "state", {})
    tricky = 'a\'b "c" $x `d` \\ 张三'
    wanted = [
        edit("add", text="/opt/my rocm/bin"),
        edit("add", text="/first", first=True),
        edit("set", "TRICKY", tricky),
    ]
    edits.apply(edits.preview(wanted))
    script = '. "$HOME/.profile"; . "$HOME/.profile"; printf "%s\\n%s" "$PATH" "$TRICKY"'
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    seen = subprocess.run(
        ["/bin/sh", "-c", script], env=env, capture_output=True, check=True, timeout=30
    ).stdout.decode()
    assert seen == f"/first:/usr/bin:/bin:/opt/my rocm/bin\n{tricky}"
    assert edits.read().user.values == {
        "PATH": Value(kind="posix", text="/first:$PATH:/opt/my rocm/bin"),
        "TRICKY": Value(kind="posix", text=tricky),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="a link of Linux")
def test_a_linked_profile_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "profile").write_bytes(b"# mine\n")
    (tmp_path / ".profile").symlink_to("dotfiles/profile")
    edits = EnvEditor(ProfileVariables(tmp_path, "/bin/sh", {}), tmp_path / "state", {})
    edits.apply(edits.preview([edit("set", "A", "1")]))
    assert (tmp_path / ".profile").is_symlink()
    assert BEGIN in (tmp_path / "dotfiles" / "profile").read_text()


def test_the_machines_scope_of_linux_is_a_line_to_copy(tmp_path: Path) -> None:
    edits = EnvEditor(ProfileVariables(tmp_path, "/bin/sh", {}), tmp_path / "state", {})
    change = Change(scope="machine", name="A", before=None, after=Value(kind="posix", text="1 2"))
    with pytest.raises(AppError, match="env_machine_linux") as caught:
        ProfileVariables(tmp_path, "/bin/sh", {}).write(change)
    assert caught.value.facts["line"] == "echo 'A=1 2' | sudo tee -a /etc/environment"
    with pytest.raises(AppError):
        edits.apply(edits.preview([edit("set", "A", "1", scope="machine")]))


@pytest.mark.parametrize("content", [b"", b"{", b'{"schema":1,"user":[]}', b"\xff"])
def test_a_backup_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(AppError, match="env_backup_malformed"):
        editor(registry(), tmp_path).preview_restore(tmp_path / "b.json")
    (tmp_path / "linux.json").write_bytes(msgspec.json.encode(Backup(system="linux", user={})))
    with pytest.raises(AppError, match="env_backup_system"):
        editor(registry(), tmp_path).preview_restore(tmp_path / "linux.json")


def test_a_full_disk_is_said_before_anything_is_written(tmp_path: Path) -> None:
    memory = registry({})
    (tmp_path / "env").write_text("a file where the folder should be")
    edits = editor(memory, tmp_path)
    with pytest.raises(AppError, match="env_backup_failed"):
        edits.apply(edits.preview([edit("set", "A", "1")]))
    assert memory.values("HKCU", USER_KEY) == {}
