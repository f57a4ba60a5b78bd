"""What a client is given, and the parts that are made of it."""

from __future__ import annotations

import ssl
from typing import Optional

from ._core.address import Address
from ._transport.base import AsyncTransport, Transport, wants_httpx
from ._transport.stdlib import StdlibTransport
from ._transport.threaded import ThreadedTransport

VERSION = "1.0.0rc1"
DEFAULT_URL = "http://127.0.0.1:3000"


def transport_of(address: Address, http: Optional[str], context: Optional[ssl.SSLContext]) -> Transport:
    """The blocking transport: ``http`` is ``httpx``, ``stdlib``, or None: httpx where it is installed."""
    plain = StdlibTransport(address, context)
    if not wants_httpx(http):
        return plain
    from ._transport.with_httpx import HttpxTransport

    return HttpxTransport(address, plain, context if context is not None else True)


def async_transport_of(address: Address, http: Optional[str], context: Optional[ssl.SSLContext]) -> AsyncTransport:
    """The asynchronous transport."""
    plain = ThreadedTransport(StdlibTransport(address, context))
    if not wants_httpx(http):
        return plain
    from ._transport.with_httpx import AsyncHttpxTransport

    return AsyncHttpxTransport(address, plain, context if context is not None else True)
