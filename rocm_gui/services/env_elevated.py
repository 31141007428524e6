"""Changes of the machine's variables by a helper with administrator's rights, which gets exactly what was shown."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.variables import Change
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocm_gui.services.env_editor import VariableStore


class ElevatedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the helper with administrator's rights is asked to write, and nothing else."""

    schema: int = 1
    changes: tuple[Change, ...]


class ElevatedResult(msgspec.Struct, frozen=True, kw_only=True):
    """Its answer: None where all was written."""

    error: str | None = None
    facts: dict[str, str] = {}


def write_elevated(changes: tuple[Change, ...], folder: Path, run: Callable[[list[str]], int]) -> None:
    """Have ``changes`` written by a helper: ``run`` starts this program's own ``env write`` with other rights.

    The request's SHA-256 is on the command line: a file that is swapped in between is refused there.

    Raises:
        AppError: as ``run``; what the helper answers; ``elevation_failed`` where it answers nothing.
    """
    name = secrets.token_hex(8)
    request_file = folder / f"request-{name}.json"
    result_file = _result_file(request_file)
    data = msgspec.json.encode(ElevatedRequest(changes=changes))
    write_atomic(request_file, data, mode=0o600)
    try:
        code = run(["env", "write", "--request", str(request_file), "--sha256", hashlib.sha256(data).hexdigest()])
        try:
            result = msgspec.json.decode(result_file.read_bytes(), type=ElevatedResult)
        except (OSError, msgspec.DecodeError) as error:
            raise AppError("elevation_failed", ExitCode.DENIED, reason=f"exit code {code}") from error
        if result.error is not None:
            raise AppError(result.error, ExitCode.FAILED, **result.facts)
    finally:
        request_file.unlink(missing_ok=True)
        result_file.unlink(missing_ok=True)


def serve_elevated(store: VariableStore, request_file: Path, sha256: str) -> ElevatedResult:
    """The helper's side: check the file and what stands, write, answer.

    Raises:
        AppError: ``env_request_refused`` where the file is not the one that was shown.
    """
    try:
        data = request_file.read_bytes()
        request = msgspec.json.decode(data, type=ElevatedRequest)
    except (OSError, msgspec.DecodeError) as error:
        raise AppError("env_request_refused", ExitCode.USAGE, reason=str(error)) from error
    if hashlib.sha256(data).hexdigest() != sha256 or any(change.scope != "machine" for change in request.changes):
        raise AppError("env_request_refused", ExitCode.USAGE, reason="sha256")
    result = ElevatedResult()
    state = store.read()
    for change in request.changes:
        stored = state.machine.get(change.name, windows=state.windows)
        if state.machine.values is None or (stored[1] if stored else None) != change.before:
            result = ElevatedResult(error="env_changed_meanwhile", facts={"name": change.name, "scope": "machine"})
            break
    else:
        try:
            for change in request.changes:
                store.write(change)
        except OSError as error:
            result = ElevatedResult(error="env_denied", facts={"name": "", "scope": str(error), "id": ""})
    write_atomic(_result_file(request_file), msgspec.json.encode(result), mode=0o600)
    return result


def _result_file(request_file: Path) -> Path:
    return request_file.with_name(request_file.name.replace("request-", "result-"))
