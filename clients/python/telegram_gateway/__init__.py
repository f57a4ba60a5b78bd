"""Client of the Telegram session gateway: ``Gateway`` blocks, ``AsyncGateway`` is for asyncio.

    from telegram_gateway import Gateway

    with Gateway("http://127.0.0.1:3000") as gateway:
        session = gateway.create_session(label="Support desk")
        session.wait_for_login(lambda qr: print(qr.to_text()))
        print(session.send_text("Hello", username="bob")["messageId"])
"""

from . import errors, events, types, webhooks
from ._core.retry import RetryPolicy
from ._settings import VERSION as __version__
from .async_client import AsyncGateway, AsyncSession
from .client import Gateway, Session
from .errors import ApiError, ConnectionFailedError, GatewayError
from .qr import Qr

__all__ = [
    "ApiError",
    "AsyncGateway",
    "AsyncSession",
    "ConnectionFailedError",
    "Gateway",
    "GatewayError",
    "Qr",
    "RetryPolicy",
    "Session",
    "__version__",
    "errors",
    "events",
    "types",
    "webhooks",
]
