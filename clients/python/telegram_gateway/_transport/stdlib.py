"""HTTP with the standard library: kept connections of ``http.client``, in a pool."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from .._core.address import Address
from .._core.effects import Lost, NotSent, Opened
from .._core.requests import Request, Response

# Gateways and proxies close idle connections after a minute or so; one that is closed is noticed and not used.
_MAX_IDLE = 8
_CHUNK_BYTES = 65536


class ResponseSource:
    """The body of a response without an end."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        # http.client lets go of the socket once the response says that the connection ends with it.
        self._socket = connection.sock

    def read(self) -> bytes:
        try:
            return self._response.read1(_CHUNK_BYTES)
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            raise Lost(_reason(error)) from error

    def write(self, data: bytes) -> None:
        raise Lost("a response cannot be written to")

    def close(self) -> None:
        # Another thread may be reading: that ends its read.
        _shut(self._socket)
        self._connection.close()


class SocketSource:
    """A connection for another protocol."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    def read(self) -> bytes:
        try:
            return self._socket.recv(_CHUNK_BYTES)
        except (OSError, ValueError) as error:
            raise Lost(_reason(error)) from error

    def write(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except (OSError, ValueError) as error:
            raise Lost(_reason(error)) from error

    def close(self) -> None:
        _shut(self._socket)
        self._socket.close()


class StdlibTransport:
    """Blocking HTTP to one gateway; may be used by several threads."""

    def __init__(self, address: Address, context: Optional[ssl.SSLContext] = None) -> None:
        self._address = address
        self._context = context or (ssl.create_default_context() if address.is_secure else None)
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def exchange(self, request: Request) -> Response:
        connection, response = self._send(request)
        try:
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Lost(_reason(error)) from error
        except BaseException:
            # An interrupted read leaves half a response on the connection.
            connection.close()
            raise
        answer = Response(response.status, _headers(response), body)
        self._give_back(connection, response)
        return answer

    def open(self, request: Request) -> Opened:
        connection, response = self._send(request)
        return Opened(response.status, _headers(response), ResponseSource(connection, response))

    def connect(self, timeout: float) -> SocketSource:
        connection = self._connected(timeout)
        assert connection.sock is not None
        return SocketSource(connection.sock)

    def close(self) -> None:
        """Closes the kept connections; those in use close with their response."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._is_closed = True
        for connection in idle:
            connection.close()

    def _send(self, request: Request) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = self._kept(request.timeout) or self._connected(request.timeout)
        target = self._address.prefix + request.target
        try:
            if isinstance(request.body, Path):
                headers = {**request.headers, "content-length": str(request.body.stat().st_size)}
                with request.body.open("rb") as file:
                    connection.request(request.verb, target, file, headers)
            else:
                connection.request(request.verb, target, request.body, request.headers)
            return connection, connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Lost(_reason(error)) from error
        except BaseException:
            connection.close()
            raise

    def _kept(self, timeout: float) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            # What can be read of an idle connection is its end.
            if connection.sock is not None and not _is_readable(connection.sock):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def _connected(self, timeout: float) -> http.client.HTTPConnection:
        place = self._address
        connection: http.client.HTTPConnection
        if place.is_secure:
            connection = http.client.HTTPSConnection(
                place.hostname, place.port, timeout=timeout, context=self._context
            )
        else:
            connection = http.client.HTTPConnection(place.hostname, place.port, timeout=timeout)
        try:
            connection.connect()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise NotSent(f"{place.host} cannot be reached: {_reason(error)}") from error
        return connection

    def _give_back(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        with self._lock:
            if not self._is_closed and not response.will_close and len(self._idle) < _MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()


def _headers(response: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _is_readable(connected: socket.socket) -> bool:
    try:
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(connected, select.POLLIN)
            return bool(poll.poll(0))
        return bool(select.select([connected], [], [], 0)[0])
    except (OSError, ValueError):
        return True


def _shut(connected: Any) -> None:
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except (OSError, AttributeError):
        pass


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
