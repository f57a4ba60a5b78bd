"""The exceptions. Each has ``code`` and ``retry_after``; there is a class for each code of the gateway's errors."""

from ._core import error_classes
from ._core.api_error import (
    ApiError,
    CodeNeededError,
    ConnectionFailedError,
    GatewayError,
    LoginError,
    LoginExpiredError,
    LoginTimeoutError,
    PasswordNeededError,
)
from ._core.error_classes import *  # noqa: F403
from ._core.error_classes import ErrorCode

__all__ = [
    "ApiError",
    "CodeNeededError",
    "ConnectionFailedError",
    "ErrorCode",
    "GatewayError",
    "LoginError",
    "LoginExpiredError",
    "LoginTimeoutError",
    "PasswordNeededError",
]
__all__ += error_classes.__all__
