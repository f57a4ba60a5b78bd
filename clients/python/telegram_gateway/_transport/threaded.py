"""The blocking transport for asyncio: each call in a thread, each stream in one of its own."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Callable, TypeVar

from .._core.effects import Opened
from .._core.requests import Request, Response
from .base import Source, Transport

T = TypeVar("T")
# How many calls go on at a time; the others wait for their turn.
_MAX_CALLS = 32


class ThreadedSource:
    """A source whose reads block a thread of their own. Closing it ends a read that is under way."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._reader = ThreadPoolExecutor(1, "telegram-gateway-stream")

    async def read(self) -> bytes:
        return await _in(self._reader, self._source.read)

    async def write(self, data: bytes) -> None:
        await _in(None, self._source.write, data)

    async def close(self) -> None:
        self._source.close()
        self._reader.shutdown(wait=False)


class ThreadedTransport:
    """Asynchronous HTTP by way of a blocking transport."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._executor = ThreadPoolExecutor(_MAX_CALLS, "telegram-gateway")

    async def exchange(self, request: Request) -> Response:
        return await _in(self._executor, self._transport.exchange, request)

    async def open(self, request: Request) -> Opened:
        pending = self._executor.submit(self._transport.open, request)
        try:
            opened = await asyncio.shield(asyncio.wrap_future(pending))
        except asyncio.CancelledError:
            # It opens all the same, and no one else would close it.
            pending.add_done_callback(lambda done: _close_unused(done, lambda late: late.source))
            raise
        return Opened(opened.status, opened.headers, ThreadedSource(opened.source))

    async def connect(self, timeout: float) -> ThreadedSource:
        pending = self._executor.submit(self._transport.connect, timeout)
        try:
            return ThreadedSource(await asyncio.shield(asyncio.wrap_future(pending)))
        except asyncio.CancelledError:
            pending.add_done_callback(lambda done: _close_unused(done, lambda late: late))
            raise

    async def close(self) -> None:
        self._transport.close()
        self._executor.shutdown(wait=False)


def _close_unused(done: "Future[Any]", source_of: Callable[[Any], Any]) -> None:
    if not done.cancelled() and done.exception() is None:
        source_of(done.result()).close()


async def _in(executor: "Executor | None", function: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(executor, function, *arguments)
