"""HTTP with httpx, where it is installed. It honours proxies of the environment, which the standard library's does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any, AsyncIterator, Dict, Iterator, Tuple, Type

import httpx

from .._core.address import Address
from .._core.effects import Lost, NotSent, Opened, TransportError
from .._core.requests import Request, Response

_NOT_SENT: Tuple[Type[Exception], ...] = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# Streams stay open, so a limit on connections would hold up calls behind them.
_BLOCK_BYTES = 65536
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=8)


class HttpxSource:
    """The body of a response without an end."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks: Iterator[bytes] = response.iter_raw()

    def read(self) -> bytes:
        try:
            return next(self._chunks, b"")
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error

    def write(self, data: bytes) -> None:
        raise Lost("a response cannot be written to")

    def close(self) -> None:
        self._response.close()


class HttpxTransport:
    """Blocking HTTP to one gateway. WebSockets are not httpx's: ``sockets`` opens their connections."""

    def __init__(self, address: Address, sockets: Any, verify: Any = True) -> None:
        self._address = address
        self._sockets = sockets
        self._client = httpx.Client(limits=_LIMITS, verify=verify)

    def exchange(self, request: Request) -> Response:
        try:
            response = self._client.send(self._client.build_request(**_parts(self._address, request, _Blocks)))
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error
        return Response(response.status_code, _headers(response), response.content)

    def open(self, request: Request) -> Opened:
        try:
            response = self._client.send(self._client.build_request(**_parts(self._address, request, _Blocks)), stream=True)
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error
        return Opened(response.status_code, _headers(response), HttpxSource(response))

    def connect(self, timeout: float) -> Any:
        return self._sockets.connect(timeout)

    def close(self) -> None:
        self._client.close()


class AsyncHttpxSource:
    """The same, asynchronous."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks: AsyncIterator[bytes] = response.aiter_raw()

    async def read(self) -> bytes:
        try:
            return await self._chunks.__anext__()
        except StopAsyncIteration:
            return b""
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error

    async def write(self, data: bytes) -> None:
        raise Lost("a response cannot be written to")

    async def close(self) -> None:
        await self._response.aclose()


class AsyncHttpxTransport:
    """Asynchronous HTTP to one gateway."""

    def __init__(self, address: Address, sockets: Any, verify: Any = True) -> None:
        self._address = address
        self._sockets = sockets
        self._client = httpx.AsyncClient(limits=_LIMITS, verify=verify)

    async def exchange(self, request: Request) -> Response:
        try:
            response = await self._client.send(self._client.build_request(**_parts(self._address, request, _AsyncBlocks)))
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error
        return Response(response.status_code, _headers(response), response.content)

    async def open(self, request: Request) -> Opened:
        built = self._client.build_request(**_parts(self._address, request, _AsyncBlocks))
        try:
            response = await self._client.send(built, stream=True)
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error
        return Opened(response.status_code, _headers(response), AsyncHttpxSource(response))

    async def connect(self, timeout: float) -> Any:
        return await self._sockets.connect(timeout)

    async def close(self) -> None:
        await self._client.aclose()
        await self._sockets.close()


def _parts(address: Address, request: Request, blocks: Any) -> Dict[str, Any]:
    # What is read raw must not be compressed.
    headers = {"accept-encoding": "identity", **request.headers}
    content: Any = request.body
    if isinstance(content, Path):
        headers["content-length"] = str(content.stat().st_size)
        content = blocks(content)
    return {
        "method": request.verb,
        "url": address.base + request.target,
        "headers": headers,
        "content": content,
        "timeout": request.timeout,
    }


class _Blocks:
    """A file in blocks: httpx wants one kind of iterable for each of its clients."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            while True:
                block = file.read(_BLOCK_BYTES)
                if not block:
                    return
                yield block


class _AsyncBlocks:
    """The same, asynchronous."""

    def __init__(self, path: Path) -> None:
        self._blocks = _Blocks(path)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for block in self._blocks:
            yield block


def _headers(response: httpx.Response) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _failure(error: Exception) -> TransportError:
    text = str(error) or type(error).__name__
    return NotSent(text) if isinstance(error, _NOT_SENT) else Lost(text)
