"""Every error that azsearch-ops raises on purpose, and the located problem that many of them carry.

AzsearchOpsError                 1   code, message, hint, exit code
├── UsageError                   1   the command cannot be carried out as it was given
├── FileError                    1   a file or folder cannot be read or written
├── DefinitionError              1   a file must be mended; carries every problem found
├── OverLimitError               1   the service has no room, or the budget is too small; carries the numbers
├── IndexingError                1   documents failed, or a candidate is not complete
├── EvaluationError              1   judgements or queries cannot be used
├── ServiceError                 1   the service refused; carries status, service code and request id
│   ├── NotFoundError            1   404
│   ├── PreconditionError        4   412: somebody else wrote in between
│   └── UnreachableError         5   no answer, throttled beyond patience, or a deadline passed
├── GateNotPassedError           3   an outcome that forbids the move (fail, undecided, not evaluated)
│   ├── HeldReleaseError         3   the release was rolled back and is held
│   └── BreakingError            3   it would break a consumer, and nobody accepted that
├── ConflictError                4   the alias, a lease or an object is not what it was
└── PlanStaleError               4   the saved plan no longer describes what would happen
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file: 1-based line and column, and the JSON pointer of the value there."""

    path: str
    line: int = 1
    column: int = 1
    pointer: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a definition or a run: a stable code, a one-line message and where it is."""

    code: str
    message: str
    location: Location | None = None
    severity: Severity = "error"
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        return f"{where}{self.severity}: {self.message} [{self.code}]"


class AzsearchOpsError(Exception):
    """Root of the tree; `code` is stable, `hint` says what to do, `exit_code` is what the process returns."""

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


class UsageError(AzsearchOpsError):
    """The command cannot be carried out as it was given."""

    code = "usage"


class FileError(AzsearchOpsError):
    """A file or folder cannot be read or written, for want of a right to or of room."""

    code = "files"


class DefinitionError(AzsearchOpsError):
    """One or more files must be mended; `problems` holds all that were found."""

    code = "definition"

    def __init__(self, problems: tuple[Problem, ...], *, hint: str = "") -> None:
        count = sum(p.severity == "error" for p in problems)
        super().__init__(f"{count} problem{'s' if count != 1 else ''} in the definitions", hint=hint)
        self.problems = problems


class OverLimitError(AzsearchOpsError):
    """What is planned does not fit into the service's quotas or the environment's budget; nothing was built."""

    code = "over-limit"

    def __init__(self, message: str, *, problems: tuple[Problem, ...], hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.problems = problems


class IndexingError(AzsearchOpsError):
    """Documents failed or a candidate is not complete; `problems` names each document or check."""

    code = "indexing"

    def __init__(self, message: str, *, problems: tuple[Problem, ...] = (), hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.problems = problems


class EvaluationError(AzsearchOpsError):
    """Judgements or queries cannot be used."""

    code = "evaluation"


class ServiceError(AzsearchOpsError):
    """The service refused a call. `status` is HTTP's, `service_code` Azure's, `call` method and path.

    `retry_after` is how many seconds the service wants to be left alone, None where it did not say.
    """

    code = "service"

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        service_code: str = "",
        call: str = "",
        request_id: str = "",
        hint: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after
        self.status = status
        self.service_code = service_code
        self.call = call
        self.request_id = request_id


class NotFoundError(ServiceError):
    """404: the object, index or document is not there."""

    code = "not-found"


class PreconditionError(ServiceError):
    """412: the object changed since it was read."""

    code = "precondition"
    exit_code = 4


class UnreachableError(ServiceError):
    """No answer, throttled beyond patience, or a deadline passed."""

    code = "unreachable"
    exit_code = 5


class GateNotPassedError(AzsearchOpsError):
    """An outcome that forbids the move; not a fault of the tool."""

    code = "gate"
    exit_code = 3


class HeldReleaseError(GateNotPassedError):
    """The release was rolled back and is held until the definition changes or the hold is lifted."""

    code = "held"


class BreakingError(GateNotPassedError):
    """What changes would break those who use the alias, and that was not accepted."""

    code = "breaking"


class ConflictError(AzsearchOpsError):
    """The alias, a lease or an object is not what it was when it was looked at."""

    code = "conflict"
    exit_code = 4


class PlanStaleError(AzsearchOpsError):
    """The saved plan no longer describes what would happen."""

    code = "stale-plan"
    exit_code = 4
