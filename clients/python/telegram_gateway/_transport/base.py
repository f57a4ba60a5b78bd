"""What the drivers need of HTTP: a transport for blocking calls, and one for asynchronous ones."""

from __future__ import annotations

from typing import Optional, Protocol

from .._core.effects import Opened
from .._core.requests import Request, Response


class Source(Protocol):
    """Bytes that come from the gateway; those of a socket can be answered. @raises Lost"""

    def read(self) -> bytes: ...

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Transport(Protocol):
    """HTTP to one gateway, for several threads. @raises NotSent, Lost"""

    def exchange(self, request: Request) -> Response: ...

    def open(self, request: Request) -> Opened: ...

    def connect(self, timeout: float) -> Source: ...

    def close(self) -> None: ...


class AsyncSource(Protocol):
    """The same, asynchronous."""

    async def read(self) -> bytes: ...

    async def write(self, data: bytes) -> None: ...

    async def close(self) -> None: ...


class AsyncTransport(Protocol):
    """The same, asynchronous."""

    async def exchange(self, request: Request) -> Response: ...

    async def open(self, request: Request) -> Opened: ...

    async def connect(self, timeout: float) -> AsyncSource: ...

    async def close(self) -> None: ...


def has_httpx() -> bool:
    """Whether httpx can be imported."""
    try:
        import httpx  # noqa: F401
    except ImportError:
        return False
    return True


def wants_httpx(choice: Optional[str]) -> bool:
    """``http`` of a client: ``httpx``, ``stdlib``, or None: httpx where it is installed. @raises ValueError"""
    if choice not in (None, "httpx", "stdlib"):
        raise ValueError(f"http is 'httpx', 'stdlib' or None, not {choice!r}")
    return has_httpx() if choice is None else choice == "httpx"
