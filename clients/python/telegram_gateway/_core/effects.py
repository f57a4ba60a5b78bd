"""What the core wants done. It does no I/O: its generators yield effects, and a driver sends back what came of them.

The blocking and the asynchronous client are two drivers of the same generators, so that nothing is decided twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Tuple, TypeVar, Union

from .requests import Request


@dataclass(frozen=True)
class Exchange:
    """Sends a request, answers a ``Response``. @raises NotSent, Lost"""

    request: Request


@dataclass(frozen=True)
class Open:
    """Sends a request whose response has no end, answers a ``Stream``. @raises NotSent, Lost"""

    request: Request


@dataclass(frozen=True)
class Connect:
    """Connects for a protocol of its own, answers a ``Socket``. ``timeout`` in seconds. @raises NotSent"""

    timeout: float


@dataclass(frozen=True)
class Read:
    """Answers bytes of a ``Stream`` or ``Socket`` as they come, ``b""`` at its end. @raises Lost"""

    source: Any


@dataclass(frozen=True)
class Write:
    """Writes bytes to a ``Socket``. @raises Lost"""

    target: Any
    data: bytes


@dataclass(frozen=True)
class Close:
    """Closes a ``Stream`` or ``Socket``."""

    source: Any


@dataclass(frozen=True)
class Wait:
    """Waits so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Ask:
    """Calls a function of the user's and answers what it returns; the asynchronous driver awaits that."""

    function: Callable[..., Any]
    arguments: Tuple[Any, ...]


Effect = Union[Exchange, Open, Connect, Read, Write, Close, Wait, Ask]
T = TypeVar("T")
Steps = Generator[Effect, Any, T]


@dataclass
class Opened:
    """The head of a response without an end. ``source`` is the driver's."""

    status: int
    headers: Dict[str, str]
    source: Any


class TransportError(Exception):
    """No response."""


class NotSent(TransportError):
    """The gateway has certainly not got the request."""


class Lost(TransportError):
    """The connection broke: the gateway may have got the request."""
