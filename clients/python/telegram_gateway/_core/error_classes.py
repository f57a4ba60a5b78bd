# Written by `python3 -m generator` from docs/errors.md: change that, not this.
# mypy: disable-error-code=misc
"""One class for each code of docs/errors.md."""

from __future__ import annotations

from typing import Dict, Literal, Type

from .api_error import ApiError


class InvalidHeaderError(ApiError):
    """`id` or `session-id` is missing."""


class InvalidRecipientError(ApiError):
    """No recipient is named, or the phone, username or ID cannot be one."""


class ChatNotFoundError(ApiError):
    """There is no such user, chat, group or channel, or the account is not in it."""


class PhoneNotFoundError(ApiError):
    """The phone is not on Telegram, or hides that it is."""


class MessageNotFoundError(ApiError):
    """The chat or its queue has no such message, or the message has no such button or poll."""


class FileNotFoundError(ApiError):
    """The session has not uploaded this file, or it has expired."""


class FileTooLargeError(ApiError):
    """The file is larger than the gateway or Telegram takes it."""


class IdempotencyKeyReusedError(ApiError):
    """The key was used with another body."""


class ExternalIdTakenError(ApiError):
    """Another live session has this `externalId`."""


class WebhookOffError(ApiError):
    """The session has no webhook."""


class LoginRefusedError(ApiError):
    """Telegram does not log in this phone, bot or session string."""


class LoginNotExpectedError(ApiError):
    """The session waits for no code, no password or no login."""


class InvalidCodeError(ApiError):
    """The login code is wrong."""


class CodeExpiredError(ApiError):
    """The login code is too old."""


class InvalidPasswordError(ApiError):
    """The password is wrong."""


class MethodRefusedError(ApiError):
    """This method of Telegram is not for callers."""


class InvalidRequestError(ApiError):
    """A header, query or body is not as the API document has it; the message has a line for each fault."""


class InvalidApiKeyError(ApiError):
    """The API key is missing or wrong."""


class HostNotAllowedError(ApiError):
    """Without an API key: the Host header names neither this machine nor PUBLIC_URL."""


class OriginNotAllowedError(ApiError):
    """A page of another site asks for what it may not have."""


class ScopeRequiredError(ApiError):
    """The key lacks a scope, which the message names."""


class ChatNotAllowedError(ApiError):
    """The key is for other chats. Whether there is such a chat, the answer does not tell."""


class AccountNotAllowedError(ApiError):
    """The key is for some chats alone, and this concerns more: the account as a whole, or other people."""


class ChatRequiredError(ApiError):
    """The key is for some chats alone: the request has to name one of them."""


class ForbiddenError(ApiError):
    """These headers do not go with this endpoint."""


class SessionNotFoundError(ApiError):
    """Wrong `id` or `session-id`, or the session was deleted."""


class NotFoundError(ApiError):
    """There is no such path, file, method or moment."""


class MethodNotAllowedError(ApiError):
    """The path has other methods: `Allow` names them."""


class RequestTimeoutError(ApiError):
    """The request did not arrive in time."""


class BodyTooLargeError(ApiError):
    """The body is larger than the endpoint takes it."""


class WrongContentTypeError(ApiError):
    """The content type is not that of the endpoint."""


class RangeNotSatisfiableError(ApiError):
    """The file has no such bytes."""


class ExpectationFailedError(ApiError):
    """`Expect` asks for something unknown."""


class UpgradeRequiredError(ApiError):
    """The endpoint is a WebSocket."""


class HeadersTooLargeError(ApiError):
    """The headers are larger than 16 KB."""


class TooManyFilesError(ApiError):
    """Files, pictures or conversions of this session wait already, or of all together (503)."""


class TelegramWaitError(ApiError):
    """Telegram asks to wait: `Retry-After` says how long."""


class PaceReachedError(ApiError):
    """The pace of the account is used up: `Retry-After` says until when."""


class LimitReachedError(ApiError):
    """A limit of the key is reached: of its messages in a day, until `Retry-After`, or of its sessions."""


class TooManyRequestsError(ApiError):
    """Wrong credentials too often, or too much open at a time."""


class SessionNotActiveError(ApiError):
    """The session is stored, but not active yet: right after a restart."""


class SessionNotConnectedError(ApiError):
    """The session is not connected to Telegram now."""


class TelegramError(ApiError):
    """Telegram's own error, passed through: `CODE: NAME (caused by …)`."""


class TelegramTimeoutError(ApiError):
    """Telegram did not answer in time; whether it did what was asked for is not known."""


class TelegramUnreachableError(ApiError):
    """Telegram is out of reach."""


class NodeLostError(ApiError):
    """The node that has the session went away before it answered: whether it did what was asked for is not known. Repeat the request if it had an `Idempotency-Key` that its endpoint takes; else look first."""


class OutcomeUnknownError(ApiError):
    """It is not known whether it was done, and it is not tried again under this key."""


class FileNotDownloadedError(ApiError):
    """The file could not be downloaded from the given URL."""


class FileNotUsableError(ApiError):
    """The file cannot be made into what was asked for."""


class InternalError(ApiError):
    """A defect of the gateway. Its log has the cause, under `x-request-id`."""


class StoreUnavailableError(ApiError):
    """The event store cannot be read or written now."""


class StartingError(ApiError):
    """The gateway is starting."""


class ShuttingDownError(ApiError):
    """The gateway is shutting down."""


class OverloadedError(ApiError):
    """The gateway has too much to do."""


class UnavailableError(ApiError):
    """The gateway is not ready, or something shared is in use."""


ERROR_CLASSES: Dict[str, Type[ApiError]] = {
    'invalid_header': InvalidHeaderError,
    'invalid_recipient': InvalidRecipientError,
    'chat_not_found': ChatNotFoundError,
    'phone_not_found': PhoneNotFoundError,
    'message_not_found': MessageNotFoundError,
    'file_not_found': FileNotFoundError,
    'file_too_large': FileTooLargeError,
    'idempotency_key_reused': IdempotencyKeyReusedError,
    'external_id_taken': ExternalIdTakenError,
    'webhook_off': WebhookOffError,
    'login_refused': LoginRefusedError,
    'login_not_expected': LoginNotExpectedError,
    'invalid_code': InvalidCodeError,
    'code_expired': CodeExpiredError,
    'invalid_password': InvalidPasswordError,
    'method_refused': MethodRefusedError,
    'invalid_request': InvalidRequestError,
    'invalid_api_key': InvalidApiKeyError,
    'host_not_allowed': HostNotAllowedError,
    'origin_not_allowed': OriginNotAllowedError,
    'scope_required': ScopeRequiredError,
    'chat_not_allowed': ChatNotAllowedError,
    'account_not_allowed': AccountNotAllowedError,
    'chat_required': ChatRequiredError,
    'forbidden': ForbiddenError,
    'session_not_found': SessionNotFoundError,
    'not_found': NotFoundError,
    'method_not_allowed': MethodNotAllowedError,
    'request_timeout': RequestTimeoutError,
    'body_too_large': BodyTooLargeError,
    'wrong_content_type': WrongContentTypeError,
    'range_not_satisfiable': RangeNotSatisfiableError,
    'expectation_failed': ExpectationFailedError,
    'upgrade_required': UpgradeRequiredError,
    'headers_too_large': HeadersTooLargeError,
    'too_many_files': TooManyFilesError,
    'telegram_wait': TelegramWaitError,
    'pace_reached': PaceReachedError,
    'limit_reached': LimitReachedError,
    'too_many_requests': TooManyRequestsError,
    'session_not_active': SessionNotActiveError,
    'session_not_connected': SessionNotConnectedError,
    'telegram_error': TelegramError,
    'telegram_timeout': TelegramTimeoutError,
    'telegram_unreachable': TelegramUnreachableError,
    'node_lost': NodeLostError,
    'outcome_unknown': OutcomeUnknownError,
    'file_not_downloaded': FileNotDownloadedError,
    'file_not_usable': FileNotUsableError,
    'internal_error': InternalError,
    'store_unavailable': StoreUnavailableError,
    'starting': StartingError,
    'shutting_down': ShuttingDownError,
    'overloaded': OverloadedError,
    'unavailable': UnavailableError,
}
__all__ = ['InvalidHeaderError', 'InvalidRecipientError', 'ChatNotFoundError', 'PhoneNotFoundError', 'MessageNotFoundError', 'FileNotFoundError', 'FileTooLargeError', 'IdempotencyKeyReusedError', 'ExternalIdTakenError', 'WebhookOffError', 'LoginRefusedError', 'LoginNotExpectedError', 'InvalidCodeError', 'CodeExpiredError', 'InvalidPasswordError', 'MethodRefusedError', 'InvalidRequestError', 'InvalidApiKeyError', 'HostNotAllowedError', 'OriginNotAllowedError', 'ScopeRequiredError', 'ChatNotAllowedError', 'AccountNotAllowedError', 'ChatRequiredError', 'ForbiddenError', 'SessionNotFoundError', 'NotFoundError', 'MethodNotAllowedError', 'RequestTimeoutError', 'BodyTooLargeError', 'WrongContentTypeError', 'RangeNotSatisfiableError', 'ExpectationFailedError', 'UpgradeRequiredError', 'HeadersTooLargeError', 'TooManyFilesError', 'TelegramWaitError', 'PaceReachedError', 'LimitReachedError', 'TooManyRequestsError', 'SessionNotActiveError', 'SessionNotConnectedError', 'TelegramError', 'TelegramTimeoutError', 'TelegramUnreachableError', 'NodeLostError', 'OutcomeUnknownError', 'FileNotDownloadedError', 'FileNotUsableError', 'InternalError', 'StoreUnavailableError', 'StartingError', 'ShuttingDownError', 'OverloadedError', 'UnavailableError']
ErrorCode = Literal['invalid_header', 'invalid_recipient', 'chat_not_found', 'phone_not_found', 'message_not_found', 'file_not_found', 'file_too_large', 'idempotency_key_reused', 'external_id_taken', 'webhook_off', 'login_refused', 'login_not_expected', 'invalid_code', 'code_expired', 'invalid_password', 'method_refused', 'invalid_request', 'invalid_api_key', 'host_not_allowed', 'origin_not_allowed', 'scope_required', 'chat_not_allowed', 'account_not_allowed', 'chat_required', 'forbidden', 'session_not_found', 'not_found', 'method_not_allowed', 'request_timeout', 'body_too_large', 'wrong_content_type', 'range_not_satisfiable', 'expectation_failed', 'upgrade_required', 'headers_too_large', 'too_many_files', 'telegram_wait', 'pace_reached', 'limit_reached', 'too_many_requests', 'session_not_active', 'session_not_connected', 'telegram_error', 'telegram_timeout', 'telegram_unreachable', 'node_lost', 'outcome_unknown', 'file_not_downloaded', 'file_not_usable', 'internal_error', 'store_unavailable', 'starting', 'shutting_down', 'overloaded', 'unavailable']
