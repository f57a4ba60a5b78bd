# Written by `python3 -m generator` from docs/openapi.json: change that, not this.
# mypy: disable-error-code=misc
"""The operations of the API as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, AsyncIterator, List, Literal, Optional, Union

from ._core.requests import NOT_GIVEN, Arguments, NotGiven, nullable
from .types import (
    Account,
    AddChannelMembersResult,
    AddGroupMembersResult,
    AddOperatorWebhookResult,
    AddWebhookResult,
    AlbumOutgoingMessageAlbum,
    AnimationOutgoingMessageAnimation,
    AudioOutgoingMessageAudio,
    AuditEntry,
    ChangeGroupPermissions,
    ChangeGroupPicture,
    ChangeNamedSessionResult,
    ChangeOperatorWebhookResult,
    ChangeSessionResult,
    ChangeSessionResultPace,
    ChangeWebhookResult,
    Channel,
    ChannelMessage,
    Chat,
    CheckPhoneResult,
    ContactOutgoingMessageContact,
    CreateChannelResult,
    CreateGroupResult,
    CreateLinkResult,
    CreateLinkSession,
    CreateSessionLogin,
    CreateSessionProxy,
    CreateSessionWebhook,
    CreatedSession,
    DocumentOutgoingMessageDocument,
    ExportLoginResult,
    ForwardMessagesResult,
    GetOneWebhookResult,
    GetOperatorWebhookResult,
    GetPaceResult,
    GetSessionConnectionResult,
    GetSessionStatsResult,
    GetWebhookResult,
    Group,
    ImageOutgoingMessageImage,
    Invite,
    IssueKeyResult,
    JoinChannelResult,
    JoinGroupResult,
    Key,
    KeyLimits,
    Link,
    ListChannelInvitesResult,
    ListChannelMessagesResult,
    ListChannelsResult,
    ListChatsResult,
    ListContactsResult,
    ListDeliveriesOfResult,
    ListDeliveriesOfResultDocsItem,
    ListDeliveriesResult,
    ListDevicesResult,
    ListEventsOfResult,
    ListEventsResult,
    ListGroupInvitesResult,
    ListGroupsResult,
    ListKeysResult,
    ListLinksResult,
    ListMembersResult,
    ListMessagesResult,
    ListNodesResult,
    ListOperatorWebhooksResult,
    ListParkedOfOperatorWebhookResult,
    ListParkedOfResult,
    ListParkedOfResultDocsItem,
    ListParkedResult,
    ListScheduledMessagesResult,
    ListSendsOfResult,
    ListSendsResult,
    ListSessionsResult,
    ListTopicsResult,
    ListTopicsResultDocsItem,
    ListUsageResult,
    ListWebhooksResult,
    LiveResult,
    LocationOutgoingMessageLocation,
    Message,
    OutgoingMessage,
    PastSession,
    Person,
    PollOutgoingMessagePoll,
    PostStatusResult,
    PressButtonResult,
    ReadyResult,
    Recipient,
    ReconnectSessionResult,
    Reference,
    ReplayOperatorWebhookResult,
    ReplayWebhookOfResult,
    ReplayWebhookResult,
    RequestLoginCodeResult,
    ResetSessionByIdResult,
    RotateSecretResult,
    SearchMessagesResult,
    SendEntry,
    SendMessageResult,
    Session,
    SessionSummary,
    SessionUsage,
    SetProxyResult,
    SetWebhookResult,
    StickerOutgoingMessageSticker,
    Story,
    SubmitLoginCodeResult,
    SwitchWebhookResult,
    TestOperatorWebhookResult,
    TestWebhookOfResult,
    TestWebhookResult,
    User,
    VideoNoteOutgoingMessageVideoNote,
    VideoOutgoingMessageVideo,
    VoiceOutgoingMessageVoice,
)

if TYPE_CHECKING:
    from .async_client import AsyncSession as ClientSession


class AsyncSessionOperations:
    """What one session can do."""

    async def _call(self, operation: str, arguments: Arguments) -> Any:
        raise NotImplementedError

    def _pages(self, operation: str, cursor: str, arguments: Arguments) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def get_state(self) -> Session:
        """Get a session.

        GET /session
        """
        result: Session = await self._call('getSession', Arguments())
        return result

    async def delete(self) -> Reference:
        """Delete a session.

        DELETE /session
        """
        result: Reference = await self._call('deleteSession', Arguments())
        return result

    async def change(self, *, external_id: Optional[str] = None, label: Optional[str] = None, pace: Union[Union[ChangeSessionResultPace, None], NotGiven] = NOT_GIVEN) -> ChangeSessionResult:
        """Change the session’s own names, and its account’s pace.

        PATCH /session

        :param pace: What is left out has no limit; null: none has.
        """
        result: ChangeSessionResult = await self._call('changeSession', Arguments(body={'externalId': external_id, 'label': label, 'pace': nullable(pace)}))
        return result

    async def call_method(self, method: str, *, params: Optional[Dict[str, Any]] = None) -> Any:
        """Call any method of Telegram's API as the session's account.

        POST /telegram/{method}

        :param method: `messages.getHistory`
        """
        result: Any = await self._call('callMethod', Arguments(path={'method': method}, body={'params': params}))
        return result

    async def export_login(self, format: Literal['telethon', 'pyrogram', 'gramjs', 'mtcute']) -> ExportLoginResult:
        """Give the login away as a session string.

        POST /session/string
        """
        result: ExportLoginResult = await self._call('exportLogin', Arguments(body={'format': format}))
        return result

    async def set_proxy(self, url: str) -> SetProxyResult:
        """Set the proxy to Telegram, or turn it off.

        PUT /session/proxy

        :param url: `socks5://user:password@host:port`, `http://user:password@host:port` (CONNECT), or the `tg://proxy` link of an MTProto proxy. May be empty.
        """
        result: SetProxyResult = await self._call('setProxy', Arguments(body={'url': url}))
        return result

    async def request_login_code(self, phone: str) -> RequestLoginCodeResult:
        """Log in by a code instead of the QR.

        POST /session/login
        """
        result: RequestLoginCodeResult = await self._call('requestLoginCode', Arguments(body={'phone': phone}))
        return result

    async def submit_login_code(self, code: str) -> SubmitLoginCodeResult:
        """Submit the login code.

        POST /session/code

        :param code: Must not be blank.
        """
        result: SubmitLoginCodeResult = await self._call('submitLoginCode', Arguments(body={'code': code}))
        return result

    async def submit_password(self, password: str) -> Reference:
        """Submit the two-step password.

        POST /session/password
        """
        result: Reference = await self._call('submitPassword', Arguments(body={'password': password}))
        return result

    async def reset(self, *, name: Optional[str] = None, metadata: Optional[Dict[str, str]] = None, webhook: Optional[CreateSessionWebhook] = None) -> CreatedSession:
        """Log out and show a fresh QR.

        POST /session/reset

        :param metadata: At most 16384 bytes.
        :param webhook: url and token both filled, or both empty to turn the webhook off.
        """
        result: CreatedSession = await self._call('resetSession', Arguments(body={'name': name, 'metadata': metadata, 'webhook': webhook}))
        return result

    async def get_pace(self) -> GetPaceResult:
        """The account’s pace, and what waits for its turn.

        GET /session/pace
        """
        result: GetPaceResult = await self._call('getPace', Arguments())
        return result

    async def list_webhooks(self) -> ListWebhooksResult:
        """The webhooks of the session, with the state of their deliveries.

        GET /session/webhooks
        """
        result: ListWebhooksResult = await self._call('listWebhooks', Arguments())
        return result

    async def add_webhook(self, url: str, token: str, *, events: Optional[List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]] = None, chats: Optional[Union[Literal['private', 'groups', 'channels', 'all'], List[str]]] = None) -> AddWebhookResult:
        """Add a webhook.

        POST /session/webhooks

        :param url: An http or https URL.
        """
        result: AddWebhookResult = await self._call('addWebhook', Arguments(body={'url': url, 'token': token, 'events': events, 'chats': chats}))
        return result

    async def get_one_webhook(self, webhook_id: str) -> GetOneWebhookResult:
        """Get a webhook and the state of its deliveries.

        GET /session/webhooks/{webhookId}

        :param webhook_id: The webhook's `id`.
        """
        result: GetOneWebhookResult = await self._call('getOneWebhook', Arguments(path={'webhookId': webhook_id}))
        return result

    async def change_webhook(self, webhook_id: str, url: str, token: str, *, events: Optional[List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]] = None, chats: Optional[Union[Literal['private', 'groups', 'channels', 'all'], List[str]]] = None) -> ChangeWebhookResult:
        """Change a webhook.

        PUT /session/webhooks/{webhookId}

        :param webhook_id: The webhook's `id`.
        :param url: An http or https URL.
        """
        result: ChangeWebhookResult = await self._call('changeWebhook', Arguments(path={'webhookId': webhook_id}, body={'url': url, 'token': token, 'events': events, 'chats': chats}))
        return result

    async def remove_webhook(self, webhook_id: str) -> Reference:
        """Turn a webhook off.

        DELETE /session/webhooks/{webhookId}

        :param webhook_id: The webhook's `id`.
        """
        result: Reference = await self._call('removeWebhook', Arguments(path={'webhookId': webhook_id}))
        return result

    async def list_parked_of(self, webhook_id: str, *, after: Optional[int] = None, limit: Optional[int] = None) -> ListParkedOfResult:
        """Events that were given up after 24 hours.

        GET /session/webhooks/{webhookId}/parked

        :param after: Only events after this number: the `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        :param webhook_id: The webhook's `id`.
        """
        result: ListParkedOfResult = await self._call('listParkedOf', Arguments(path={'webhookId': webhook_id}, query={'after': after, 'limit': limit}))
        return result

    async def list_deliveries_of(self, webhook_id: str, *, status: Optional[Literal['pending', 'parked', 'delivered']] = None, chat_id: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None) -> ListDeliveriesOfResult:
        """The deliveries: what waits, what was given up, what was delivered.

        GET /session/webhooks/{webhookId}/deliveries

        :param status: Only these; left out: all.
        :param chat_id: Only of this chat.
        :param after: Of the page before.
        :param limit: Up to this many, 1 to 100; default 50.
        :param webhook_id: The webhook's `id`.
        """
        result: ListDeliveriesOfResult = await self._call('listDeliveriesOf', Arguments(path={'webhookId': webhook_id}, query={'status': status, 'chatId': chat_id, 'after': after, 'limit': limit}))
        return result

    async def replay_webhook_of(self, webhook_id: str, *, from_: Optional[int] = None, to: Optional[int] = None, seqs: Optional[List[int]] = None, parked: Optional[bool] = None) -> ReplayWebhookOfResult:
        """Send events again.

        POST /session/webhooks/{webhookId}/replay

        :param webhook_id: The webhook's `id`.
        :param from_: The `seq` to begin with.
        :param to: With `from`: the last `seq`. Left out: all that come after.
        :param parked: `true`: all that are parked.
        """
        result: ReplayWebhookOfResult = await self._call('replayWebhookOf', Arguments(path={'webhookId': webhook_id}, body={'from': from_, 'to': to, 'seqs': seqs, 'parked': parked}))
        return result

    async def test_webhook_of(self, webhook_id: str) -> TestWebhookOfResult:
        """Send a signed test event now.

        POST /session/webhooks/{webhookId}/test

        :param webhook_id: The webhook's `id`.
        """
        result: TestWebhookOfResult = await self._call('testWebhookOf', Arguments(path={'webhookId': webhook_id}))
        return result

    async def set_webhook(self, *, url: Optional[str] = None, token: Optional[str] = None, events: Optional[List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]] = None, chats: Optional[Union[Literal['private', 'groups', 'channels', 'all'], List[str]]] = None) -> SetWebhookResult:
        """Set the webhook, or turn it off.

        PUT /session/webhook

        :param url: An http or https URL.
        """
        result: SetWebhookResult = await self._call('setWebhook', Arguments(body={'url': url, 'token': token, 'events': events, 'chats': chats}))
        return result

    async def get_webhook(self) -> GetWebhookResult:
        """Get the webhook and the state of its deliveries.

        GET /session/webhook
        """
        result: GetWebhookResult = await self._call('getWebhook', Arguments())
        return result

    async def list_parked(self, *, after: Optional[int] = None, limit: Optional[int] = None) -> ListParkedResult:
        """Events that were given up after 24 hours.

        GET /session/webhook/parked

        :param after: Only events after this number: the `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        """
        result: ListParkedResult = await self._call('listParked', Arguments(query={'after': after, 'limit': limit}))
        return result

    async def list_deliveries(self, *, status: Optional[Literal['pending', 'parked', 'delivered']] = None, chat_id: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None) -> ListDeliveriesResult:
        """The deliveries: what waits, what was given up, what was delivered.

        GET /session/webhook/deliveries

        :param status: Only these; left out: all.
        :param chat_id: Only of this chat.
        :param after: Of the page before.
        :param limit: Up to this many, 1 to 100; default 50.
        """
        result: ListDeliveriesResult = await self._call('listDeliveries', Arguments(query={'status': status, 'chatId': chat_id, 'after': after, 'limit': limit}))
        return result

    async def replay_webhook(self, *, from_: Optional[int] = None, to: Optional[int] = None, seqs: Optional[List[int]] = None, parked: Optional[bool] = None) -> ReplayWebhookResult:
        """Send events again.

        POST /session/webhook/replay

        :param from_: The `seq` to begin with.
        :param to: With `from`: the last `seq`. Left out: all that come after.
        :param parked: `true`: all that are parked.
        """
        result: ReplayWebhookResult = await self._call('replayWebhook', Arguments(body={'from': from_, 'to': to, 'seqs': seqs, 'parked': parked}))
        return result

    async def test_webhook(self) -> TestWebhookResult:
        """Send a signed test event now.

        POST /session/webhook/test
        """
        result: TestWebhookResult = await self._call('testWebhook', Arguments())
        return result

    async def list_events(self, *, after: Optional[int] = None, limit: Optional[int] = None) -> ListEventsResult:
        """The events of a session, with their reasons.

        GET /session/events

        :param after: Only events after this number: the `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        """
        result: ListEventsResult = await self._call('listEvents', Arguments(query={'after': after, 'limit': limit}))
        return result

    async def list_sends(self, *, after: Optional[int] = None, limit: Optional[int] = None) -> ListSendsResult:
        """Who has sent with an Idempotency-Key.

        GET /session/sends

        :param after: Only events after this number: the `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        """
        result: ListSendsResult = await self._call('listSends', Arguments(query={'after': after, 'limit': limit}))
        return result

    async def replay_session(self, *, seq: Optional[int] = None, at: Optional[str] = None) -> PastSession:
        """A session as it was at any moment.

        GET /session/replay

        :param seq: The moment after this event.
        :param at: The moment at this time (ISO 8601).
        """
        result: PastSession = await self._call('replaySession', Arguments(query={'seq': seq, 'at': at}))
        return result

    async def send(self, message: OutgoingMessage, *, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message.

        POST /message

        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body=message, idempotency_key=idempotency_key))
        return result

    async def send_text(self, text: str, *, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: text.

        POST /message

        :param text: Must not be blank.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'text', 'text': text, 'parseMode': parse_mode, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_image(self, image: ImageOutgoingMessageImage, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: image.

        POST /message

        :param text: Must not be blank.
        :param image: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'image', 'text': text, 'parseMode': parse_mode, 'image': image, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_video(self, video: VideoOutgoingMessageVideo, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: video.

        POST /message

        :param text: Must not be blank.
        :param video: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'video', 'text': text, 'parseMode': parse_mode, 'video': video, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_audio(self, audio: AudioOutgoingMessageAudio, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: audio.

        POST /message

        :param text: Must not be blank.
        :param audio: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'audio', 'text': text, 'parseMode': parse_mode, 'audio': audio, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_document(self, document: DocumentOutgoingMessageDocument, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: document.

        POST /message

        :param text: Must not be blank.
        :param document: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'document', 'text': text, 'parseMode': parse_mode, 'document': document, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_location(self, location: LocationOutgoingMessageLocation, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: location.

        POST /message

        :param text: Must not be blank.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'location', 'text': text, 'parseMode': parse_mode, 'location': location, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_contact(self, contact: ContactOutgoingMessageContact, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: contact.

        POST /message

        :param text: Must not be blank.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'contact', 'text': text, 'parseMode': parse_mode, 'contact': contact, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_voice(self, voice: VoiceOutgoingMessageVoice, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: voice.

        POST /message

        :param text: Must not be blank.
        :param voice: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'voice', 'text': text, 'parseMode': parse_mode, 'voice': voice, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_video_note(self, video_note: VideoNoteOutgoingMessageVideoNote, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: videoNote.

        POST /message

        :param text: Must not be blank.
        :param video_note: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'videoNote', 'text': text, 'parseMode': parse_mode, 'videoNote': video_note, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_animation(self, animation: AnimationOutgoingMessageAnimation, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: animation.

        POST /message

        :param text: Must not be blank.
        :param animation: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'animation', 'text': text, 'parseMode': parse_mode, 'animation': animation, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_sticker(self, sticker: StickerOutgoingMessageSticker, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: sticker.

        POST /message

        :param text: Must not be blank.
        :param sticker: Exactly one of url, data, file.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'sticker', 'text': text, 'parseMode': parse_mode, 'sticker': sticker, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_poll(self, poll: PollOutgoingMessagePoll, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: poll.

        POST /message

        :param text: Must not be blank.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'poll', 'text': text, 'parseMode': parse_mode, 'poll': poll, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def send_album(self, album: AlbumOutgoingMessageAlbum, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, reply_to: Optional[str] = None, topic: Optional[str] = None, silent: Optional[bool] = None, send_at: Optional[str] = None, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> SendMessageResult:
        """Send a message: album.

        POST /message

        :param text: Must not be blank.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param send_at: When Telegram sends it: up to a year ahead, with a zone. Left out: now.
        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: SendMessageResult = await self._call('sendMessage', Arguments(body={'type': 'album', 'text': text, 'parseMode': parse_mode, 'album': album, 'replyTo': reply_to, 'topic': topic, 'silent': silent, 'sendAt': send_at, 'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone}, idempotency_key=idempotency_key))
        return result

    async def edit_message(self, message_id: str, text: str, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, idempotency_key: Optional[str] = None) -> Reference:
        """Edit a text or a caption.

        PATCH /message

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param text: May be empty.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: Reference = await self._call('editMessage', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageId': message_id, 'text': text, 'parseMode': parse_mode}, idempotency_key=idempotency_key))
        return result

    async def delete_messages(self, message_ids: List[str], *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, for_everyone: Optional[bool] = None) -> Reference:
        """Delete messages.

        DELETE /message

        :param group: The chat: a group, by ID or username.
        :param channel: The chat: a channel, by ID or username.
        :param user: The chat: a user ID.
        :param username: The chat: a username.
        :param phone: The chat: a phone number.
        :param message_ids: Up to 100, separated by commas, or the parameter is repeated.
        :param for_everyone: `true`: for the other members of the chat too; else for this account alone.
        """
        result: Reference = await self._call('deleteMessages', Arguments(query={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageIds': message_ids, 'forEveryone': for_everyone}))
        return result

    async def forward_messages(self, from_: Recipient, message_ids: List[str], *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, topic: Optional[str] = None, drop_author: Optional[bool] = None, idempotency_key: Optional[str] = None) -> ForwardMessagesResult:
        """Forward messages of one chat to another.

        POST /message/forward

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: ForwardMessagesResult = await self._call('forwardMessages', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'from': from_, 'topic': topic, 'messageIds': message_ids, 'dropAuthor': drop_author}, idempotency_key=idempotency_key))
        return result

    async def press_button(self, message_id: str, row: int, column: int, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> PressButtonResult:
        """Press an inline button.

        POST /message/button

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: PressButtonResult = await self._call('pressButton', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageId': message_id, 'row': row, 'column': column}, idempotency_key=idempotency_key))
        return result

    async def vote_in_poll(self, message_id: str, options: List[int], *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, idempotency_key: Optional[str] = None) -> Reference:
        """Vote in a poll or quiz, or take the vote back.

        POST /message/vote

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: Reference = await self._call('voteInPoll', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageId': message_id, 'options': options}, idempotency_key=idempotency_key))
        return result

    async def react_to_message(self, message_id: str, emoji: str, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None) -> Reference:
        """React to a message, or take the reaction back.

        POST /message/reaction

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param emoji: May be empty.
        """
        result: Reference = await self._call('reactToMessage', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageId': message_id, 'emoji': emoji}))
        return result

    async def pin_message(self, message_id: str, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None) -> Reference:
        """Pin a message for all.

        POST /message/pin

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        """
        result: Reference = await self._call('pinMessage', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageId': message_id}))
        return result

    async def unpin_message(self, message_id: str, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None) -> Reference:
        """Unpin a message for all.

        DELETE /message/pin

        :param group: The chat: a group, by ID or username.
        :param channel: The chat: a channel, by ID or username.
        :param user: The chat: a user ID.
        :param username: The chat: a username.
        :param phone: The chat: a phone number.
        :param message_id: Message ID.
        """
        result: Reference = await self._call('unpinMessage', Arguments(query={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'messageId': message_id}))
        return result

    async def list_scheduled_messages(self, chat_id: str) -> ListScheduledMessagesResult:
        """The messages of a chat's queue, the first to leave first.

        GET /message/scheduled

        :param chat_id: The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.
        """
        result: ListScheduledMessagesResult = await self._call('listScheduledMessages', Arguments(query={'chatId': chat_id}))
        return result

    async def delete_scheduled_message(self, chat_id: str, scheduled_id: str) -> Reference:
        """Take a message out of the queue.

        DELETE /message/scheduled

        :param chat_id: The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.
        :param scheduled_id: The message's `scheduledId`.
        """
        result: Reference = await self._call('deleteScheduledMessage', Arguments(query={'chatId': chat_id, 'scheduledId': scheduled_id}))
        return result

    async def show_typing(self, *, group: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, topic: Optional[str] = None, type: Optional[str] = None) -> Reference:
        """Show that the account is typing or recording audio.

        POST /typing

        :param group: A group, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        """
        result: Reference = await self._call('showTyping', Arguments(body={'group': group, 'user': user, 'username': username, 'phone': phone, 'topic': topic, 'type': type}))
        return result

    async def post_status(self, message: Story, *, idempotency_key: Optional[str] = None) -> PostStatusResult:
        """Post a story.

        POST /status

        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: PostStatusResult = await self._call('postStatus', Arguments(body=message, idempotency_key=idempotency_key))
        return result

    async def post_status_image(self, image: ImageOutgoingMessageImage, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, privacy: Optional[Literal['contacts', 'everyone', 'close_friends']] = None, period: Optional[Literal[6, 12, 24, 48]] = None, idempotency_key: Optional[str] = None) -> PostStatusResult:
        """Post a story: image.

        POST /status

        :param image: Exactly one of url, data, file.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: PostStatusResult = await self._call('postStatus', Arguments(body={'type': 'image', 'text': text, 'parseMode': parse_mode, 'image': image, 'privacy': privacy, 'period': period}, idempotency_key=idempotency_key))
        return result

    async def post_status_video(self, video: VideoOutgoingMessageVideo, *, text: Optional[str] = None, parse_mode: Optional[Literal['markdown', 'html']] = None, privacy: Optional[Literal['contacts', 'everyone', 'close_friends']] = None, period: Optional[Literal[6, 12, 24, 48]] = None, idempotency_key: Optional[str] = None) -> PostStatusResult:
        """Post a story: video.

        POST /status

        :param video: Exactly one of url, data, file.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: PostStatusResult = await self._call('postStatus', Arguments(body={'type': 'video', 'text': text, 'parseMode': parse_mode, 'video': video, 'privacy': privacy, 'period': period}, idempotency_key=idempotency_key))
        return result

    async def list_chats(self, *, archived: Optional[bool] = None, after: Optional[str] = None, limit: Optional[int] = None) -> ListChatsResult:
        """All chats of the account, newest first.

        GET /chat

        :param archived: `true`: those of the archive; else those outside of it.
        :param after: The `after` of the previous page; empty for the first one.
        :param limit: 1 to 100; 50 if it is left out.
        """
        result: ListChatsResult = await self._call('listChats', Arguments(query={'archived': archived, 'after': after, 'limit': limit}))
        return result

    async def list_messages(self, chat_id: str, *, topic: Optional[str] = None, before: Optional[str] = None, limit: Optional[int] = None) -> ListMessagesResult:
        """The messages of any chat, newest first.

        GET /chat/message

        :param chat_id: The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.
        :param topic: Of a forum: the messages of one topic; 1 is General.
        :param before: The `before` of the previous page; empty for the newest messages.
        :param limit: 1 to 100; 50 if it is left out.
        """
        result: ListMessagesResult = await self._call('listMessages', Arguments(query={'chatId': chat_id, 'topic': topic, 'before': before, 'limit': limit}))
        return result

    async def get_message(self, chat_id: str, message_id: str) -> Message:
        """One message.

        GET /chat/message/{messageId}

        :param chat_id: The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.
        :param message_id: Message ID.
        """
        result: Message = await self._call('getMessage', Arguments(path={'messageId': message_id}, query={'chatId': chat_id}))
        return result

    async def search_messages(self, q: str, *, chat_id: Optional[str] = None, topic: Optional[str] = None, before: Optional[str] = None, limit: Optional[int] = None) -> SearchMessagesResult:
        """The messages that have some words, newest first.

        GET /chat/search

        :param chat_id: The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel. Without one, all chats are searched.
        :param q: The words.
        :param topic: Of a forum: the messages of one topic; 1 is General.
        :param before: The `before` of the previous page; empty for the newest messages.
        :param limit: 1 to 100; 50 if it is left out.
        """
        result: SearchMessagesResult = await self._call('searchMessages', Arguments(query={'chatId': chat_id, 'q': q, 'topic': topic, 'before': before, 'limit': limit}))
        return result

    async def list_topics(self, group_id: str, *, after: Optional[str] = None, limit: Optional[int] = None) -> ListTopicsResult:
        """The topics of a forum.

        GET /group/{groupId}/topic

        :param after: The `after` of the previous page; empty for the first one.
        :param limit: 1 to 100; 50 if it is left out.
        :param group_id: Group ID or public group username.
        """
        result: ListTopicsResult = await self._call('listTopics', Arguments(path={'groupId': group_id}, query={'after': after, 'limit': limit}))
        return result

    async def get_chat(self, chat_id: str) -> Chat:
        """One chat.

        GET /chat/{chatId}

        :param chat_id: The chat: a user ID, `-…` of a group or `-100…` of a supergroup or channel.
        """
        result: Chat = await self._call('getChat', Arguments(path={'chatId': chat_id}))
        return result

    async def read_chat(self, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, topic: Optional[str] = None, message_id: Optional[str] = None) -> Reference:
        """Mark a chat as read, up to a message or whole.

        POST /chat/read

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        """
        result: Reference = await self._call('readChat', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'topic': topic, 'messageId': message_id}))
        return result

    async def archive_chat(self, on: bool, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None) -> Reference:
        """Move a chat into the archive, or out of it.

        POST /chat/archive

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        """
        result: Reference = await self._call('archiveChat', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'on': on}))
        return result

    async def mute_chat(self, on: bool, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, topic: Optional[str] = None) -> Reference:
        """Mute a chat, or no longer.

        POST /chat/mute

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        """
        result: Reference = await self._call('muteChat', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'topic': topic, 'on': on}))
        return result

    async def pin_chat(self, on: bool, *, group: Optional[str] = None, channel: Optional[str] = None, user: Optional[str] = None, username: Optional[str] = None, phone: Optional[str] = None, topic: Optional[str] = None) -> Reference:
        """Put a chat at the top of the list, or back to its place.

        POST /chat/pin

        :param group: A group, by ID or username.
        :param channel: A channel, by ID or username.
        :param user: A user ID.
        :param username: A username.
        :param phone: A phone number, with the country code.
        :param topic: Of a forum: the ID of a topic. 1 is General.
        """
        result: Reference = await self._call('pinChat', Arguments(body={'group': group, 'channel': channel, 'user': user, 'username': username, 'phone': phone, 'topic': topic, 'on': on}))
        return result

    async def list_groups(self) -> ListGroupsResult:
        """The joined groups.

        GET /group
        """
        result: ListGroupsResult = await self._call('listGroups', Arguments())
        return result

    async def create_group(self, name: str, *, users: Optional[List[str]] = None, kind: Optional[Literal['group', 'supergroup']] = None, description: Optional[str] = None, idempotency_key: Optional[str] = None) -> CreateGroupResult:
        """Make a group.

        POST /group

        :param name: Must not be blank.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: CreateGroupResult = await self._call('createGroup', Arguments(body={'name': name, 'users': users, 'kind': kind, 'description': description}, idempotency_key=idempotency_key))
        return result

    async def list_members(self, group_id: str) -> ListMembersResult:
        """The members of a group, at most 10,000.

        GET /group/member

        :param group_id: Group ID or public group username.
        """
        result: ListMembersResult = await self._call('listMembers', Arguments(query={'groupId': group_id}))
        return result

    async def get_group(self, group_id: str) -> Group:
        """One joined group.

        GET /group/{groupId}

        :param group_id: Group ID or public group username.
        """
        result: Group = await self._call('getGroup', Arguments(path={'groupId': group_id}))
        return result

    async def change_group(self, group_id: str, *, name: Optional[str] = None, description: Optional[str] = None, picture: Optional[ChangeGroupPicture] = None, permissions: Optional[ChangeGroupPermissions] = None, slowmode: Optional[int] = None) -> Reference:
        """Change a group.

        PATCH /group/{groupId}

        :param group_id: Group ID or public group username.
        :param picture: Exactly one of url, data, file.
        """
        result: Reference = await self._call('changeGroup', Arguments(path={'groupId': group_id}, body={'name': name, 'description': description, 'picture': picture, 'permissions': permissions, 'slowmode': slowmode}))
        return result

    async def list_channels(self) -> ListChannelsResult:
        """The joined channels.

        GET /channel
        """
        result: ListChannelsResult = await self._call('listChannels', Arguments())
        return result

    async def create_channel(self, name: str, *, users: Optional[List[str]] = None, description: Optional[str] = None, idempotency_key: Optional[str] = None) -> CreateChannelResult:
        """Make a channel.

        POST /channel

        :param name: Must not be blank.
        :param idempotency_key: Makes one of many requests. Left out: a new one for this call.
        """
        result: CreateChannelResult = await self._call('createChannel', Arguments(body={'name': name, 'users': users, 'description': description}, idempotency_key=idempotency_key))
        return result

    async def list_channel_messages(self, channel_id: str, *, before: Optional[str] = None) -> ListChannelMessagesResult:
        """The messages of a channel, newest first.

        GET /channel/message

        :param channel_id: Channel ID or public channel username.
        :param before: The `before` of the previous page; empty for the newest messages.
        """
        result: ListChannelMessagesResult = await self._call('listChannelMessages', Arguments(query={'channelId': channel_id, 'before': before}))
        return result

    async def get_channel(self, channel_id: str) -> Channel:
        """One joined channel.

        GET /channel/{channelId}

        :param channel_id: Channel ID or public channel username.
        """
        result: Channel = await self._call('getChannel', Arguments(path={'channelId': channel_id}))
        return result

    async def change_channel(self, channel_id: str, *, name: Optional[str] = None, description: Optional[str] = None, picture: Optional[ChangeGroupPicture] = None) -> Reference:
        """Change a channel.

        PATCH /channel/{channelId}

        :param channel_id: Channel ID or public channel username.
        :param picture: Exactly one of url, data, file.
        """
        result: Reference = await self._call('changeChannel', Arguments(path={'channelId': channel_id}, body={'name': name, 'description': description, 'picture': picture}))
        return result

    async def add_group_members(self, group_id: str, users: List[str]) -> AddGroupMembersResult:
        """Add users to a group.

        POST /group/{groupId}/member

        :param group_id: Group ID or public group username.
        """
        result: AddGroupMembersResult = await self._call('addGroupMembers', Arguments(path={'groupId': group_id}, body={'users': users}))
        return result

    async def remove_group_members(self, users: List[str], group_id: str) -> Reference:
        """Remove users from a group.

        DELETE /group/{groupId}/member

        :param users: Separated by commas, or the parameter is repeated.
        :param group_id: Group ID or public group username.
        """
        result: Reference = await self._call('removeGroupMembers', Arguments(path={'groupId': group_id}, query={'users': users}))
        return result

    async def set_group_role(self, group_id: str, user_id: str, role: Literal['admin', 'member']) -> Reference:
        """Make a member an administrator, or an ordinary member.

        PUT /group/{groupId}/member/{userId}

        :param group_id: Group ID or public group username.
        :param user_id: User ID, or @username.
        """
        result: Reference = await self._call('setGroupRole', Arguments(path={'groupId': group_id, 'userId': user_id}, body={'role': role}))
        return result

    async def list_group_invites(self, group_id: str) -> ListGroupInvitesResult:
        """The valid invite links of the account.

        GET /group/{groupId}/invite

        :param group_id: Group ID or public group username.
        """
        result: ListGroupInvitesResult = await self._call('listGroupInvites', Arguments(path={'groupId': group_id}))
        return result

    async def create_group_invite(self, group_id: str, *, name: Optional[str] = None, expires: Optional[str] = None, limit: Optional[int] = None, approval: Optional[bool] = None) -> Invite:
        """Make an invite link.

        POST /group/{groupId}/invite

        :param group_id: Group ID or public group username.
        """
        result: Invite = await self._call('createGroupInvite', Arguments(path={'groupId': group_id}, body={'name': name, 'expires': expires, 'limit': limit, 'approval': approval}))
        return result

    async def join_group(self, link: str) -> JoinGroupResult:
        """Join a group.

        POST /group/join

        :param link: Must not be blank.
        """
        result: JoinGroupResult = await self._call('joinGroup', Arguments(body={'link': link}))
        return result

    async def leave_group(self, group_id: str) -> Reference:
        """Leave a group.

        DELETE /group/{groupId}/membership

        :param group_id: Group ID or public group username.
        """
        result: Reference = await self._call('leaveGroup', Arguments(path={'groupId': group_id}))
        return result

    async def add_channel_members(self, channel_id: str, users: List[str]) -> AddChannelMembersResult:
        """Add users to a channel.

        POST /channel/{channelId}/member

        :param channel_id: Channel ID or public channel username.
        """
        result: AddChannelMembersResult = await self._call('addChannelMembers', Arguments(path={'channelId': channel_id}, body={'users': users}))
        return result

    async def remove_channel_members(self, users: List[str], channel_id: str) -> Reference:
        """Remove users from a channel.

        DELETE /channel/{channelId}/member

        :param users: Separated by commas, or the parameter is repeated.
        :param channel_id: Channel ID or public channel username.
        """
        result: Reference = await self._call('removeChannelMembers', Arguments(path={'channelId': channel_id}, query={'users': users}))
        return result

    async def set_channel_role(self, channel_id: str, user_id: str, role: Literal['admin', 'member']) -> Reference:
        """Make a member an administrator, or an ordinary member.

        PUT /channel/{channelId}/member/{userId}

        :param channel_id: Channel ID or public channel username.
        :param user_id: User ID, or @username.
        """
        result: Reference = await self._call('setChannelRole', Arguments(path={'channelId': channel_id, 'userId': user_id}, body={'role': role}))
        return result

    async def list_channel_invites(self, channel_id: str) -> ListChannelInvitesResult:
        """The valid invite links of the account.

        GET /channel/{channelId}/invite

        :param channel_id: Channel ID or public channel username.
        """
        result: ListChannelInvitesResult = await self._call('listChannelInvites', Arguments(path={'channelId': channel_id}))
        return result

    async def create_channel_invite(self, channel_id: str, *, name: Optional[str] = None, expires: Optional[str] = None, limit: Optional[int] = None, approval: Optional[bool] = None) -> Invite:
        """Make an invite link.

        POST /channel/{channelId}/invite

        :param channel_id: Channel ID or public channel username.
        """
        result: Invite = await self._call('createChannelInvite', Arguments(path={'channelId': channel_id}, body={'name': name, 'expires': expires, 'limit': limit, 'approval': approval}))
        return result

    async def join_channel(self, link: str) -> JoinChannelResult:
        """Join a channel.

        POST /channel/join

        :param link: Must not be blank.
        """
        result: JoinChannelResult = await self._call('joinChannel', Arguments(body={'link': link}))
        return result

    async def leave_channel(self, channel_id: str) -> Reference:
        """Leave a channel.

        DELETE /channel/{channelId}/membership

        :param channel_id: Channel ID or public channel username.
        """
        result: Reference = await self._call('leaveChannel', Arguments(path={'channelId': channel_id}))
        return result

    async def list_contacts(self) -> ListContactsResult:
        """The contacts of the account.

        GET /contact
        """
        result: ListContactsResult = await self._call('listContacts', Arguments())
        return result

    async def add_contact(self, phone: str, name: str) -> User:
        """Save a contact.

        POST /contact

        :param phone: Must not be blank.
        :param name: Must not be blank.
        """
        result: User = await self._call('addContact', Arguments(body={'phone': phone, 'name': name}))
        return result

    async def check_phone(self, phone: str) -> CheckPhoneResult:
        """Whether a number is on Telegram.

        GET /contact/check

        :param phone: With the country code.
        """
        result: CheckPhoneResult = await self._call('checkPhone', Arguments(query={'phone': phone}))
        return result

    async def delete_contact(self, user_id: str) -> Reference:
        """Delete a contact.

        DELETE /contact/{userId}

        :param user_id: User ID, or @username.
        """
        result: Reference = await self._call('deleteContact', Arguments(path={'userId': user_id}))
        return result

    async def get_user(self, user_id: str) -> Person:
        """One person or bot.

        GET /user/{userId}

        :param user_id: User ID, or @username.
        """
        result: Person = await self._call('getUser', Arguments(path={'userId': user_id}))
        return result

    async def block_user(self, user_id: str) -> Reference:
        """Block a user.

        POST /user/{userId}/block

        :param user_id: User ID, or @username.
        """
        result: Reference = await self._call('blockUser', Arguments(path={'userId': user_id}))
        return result

    async def unblock_user(self, user_id: str) -> Reference:
        """End the blocking of a user.

        DELETE /user/{userId}/block

        :param user_id: User ID, or @username.
        """
        result: Reference = await self._call('unblockUser', Arguments(path={'userId': user_id}))
        return result

    async def get_account(self) -> Account:
        """The account as it shows itself.

        GET /account
        """
        result: Account = await self._call('getAccount', Arguments())
        return result

    async def change_account(self, *, name: Optional[str] = None, about: Optional[str] = None, username: Optional[str] = None, picture: Optional[ChangeGroupPicture] = None) -> Account:
        """Change name, text, username or picture.

        PATCH /account

        :param picture: Exactly one of url, data, file.
        """
        result: Account = await self._call('changeAccount', Arguments(body={'name': name, 'about': about, 'username': username, 'picture': picture}))
        return result

    async def list_devices(self) -> ListDevicesResult:
        """The logins of the account.

        GET /account/devices
        """
        result: ListDevicesResult = await self._call('listDevices', Arguments())
        return result

    async def remove_device(self, id: str) -> Reference:
        """Log a device out.

        DELETE /account/devices/{id}

        :param id: Of the list.
        """
        result: Reference = await self._call('removeDevice', Arguments(path={'id': id}))
        return result

    def iter_parked_of(self, webhook_id: str, *, limit: Optional[int] = None) -> AsyncIterator[ListParkedOfResultDocsItem]:
        """Events that were given up after 24 hours. One after the other, over all pages."""
        return self._pages('listParkedOf', 'after', Arguments(path={'webhookId': webhook_id}, query={'limit': limit}))

    def iter_deliveries_of(self, webhook_id: str, *, status: Optional[Literal['pending', 'parked', 'delivered']] = None, chat_id: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[ListDeliveriesOfResultDocsItem]:
        """The deliveries: what waits, what was given up, what was delivered. One after the other, over all pages."""
        return self._pages('listDeliveriesOf', 'after', Arguments(path={'webhookId': webhook_id}, query={'status': status, 'chatId': chat_id, 'limit': limit}))

    def iter_parked(self, *, limit: Optional[int] = None) -> AsyncIterator[ListParkedOfResultDocsItem]:
        """Events that were given up after 24 hours. One after the other, over all pages."""
        return self._pages('listParked', 'after', Arguments(query={'limit': limit}))

    def iter_deliveries(self, *, status: Optional[Literal['pending', 'parked', 'delivered']] = None, chat_id: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[ListDeliveriesOfResultDocsItem]:
        """The deliveries: what waits, what was given up, what was delivered. One after the other, over all pages."""
        return self._pages('listDeliveries', 'after', Arguments(query={'status': status, 'chatId': chat_id, 'limit': limit}))

    def iter_events(self, *, limit: Optional[int] = None) -> AsyncIterator[AuditEntry]:
        """The events of a session, with their reasons. One after the other, over all pages."""
        return self._pages('listEvents', 'after', Arguments(query={'limit': limit}))

    def iter_sends(self, *, limit: Optional[int] = None) -> AsyncIterator[SendEntry]:
        """Who has sent with an Idempotency-Key. One after the other, over all pages."""
        return self._pages('listSends', 'after', Arguments(query={'limit': limit}))

    def iter_chats(self, *, archived: Optional[bool] = None, limit: Optional[int] = None) -> AsyncIterator[Chat]:
        """All chats of the account, newest first. One after the other, over all pages."""
        return self._pages('listChats', 'after', Arguments(query={'archived': archived, 'limit': limit}))

    def iter_messages(self, chat_id: str, *, topic: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[Message]:
        """The messages of any chat, newest first. One after the other, over all pages."""
        return self._pages('listMessages', 'before', Arguments(query={'chatId': chat_id, 'topic': topic, 'limit': limit}))

    def iter_found_messages(self, q: str, *, chat_id: Optional[str] = None, topic: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[Message]:
        """The messages that have some words, newest first. One after the other, over all pages."""
        return self._pages('searchMessages', 'before', Arguments(query={'chatId': chat_id, 'q': q, 'topic': topic, 'limit': limit}))

    def iter_topics(self, group_id: str, *, limit: Optional[int] = None) -> AsyncIterator[ListTopicsResultDocsItem]:
        """The topics of a forum. One after the other, over all pages."""
        return self._pages('listTopics', 'after', Arguments(path={'groupId': group_id}, query={'limit': limit}))

    def iter_channel_messages(self, channel_id: str) -> AsyncIterator[ChannelMessage]:
        """The messages of a channel, newest first. One after the other, over all pages."""
        return self._pages('listChannelMessages', 'before', Arguments(query={'channelId': channel_id}))


class AsyncGatewayOperations:
    """What is of no single session, or an operator's."""

    async def _call(self, operation: str, arguments: Arguments) -> Any:
        raise NotImplementedError

    def _session_of(self, created: Any) -> ClientSession:
        raise NotImplementedError

    def _pages(self, operation: str, cursor: str, arguments: Arguments) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def live(self) -> LiveResult:
        """Whether the process is alive.

        GET /health/live
        """
        result: LiveResult = await self._call('live', Arguments())
        return result

    async def ready(self) -> ReadyResult:
        """Whether requests can be served; if not, why not.

        GET /health/ready
        """
        result: ReadyResult = await self._call('ready', Arguments())
        return result

    async def create_session(self, *, name: Optional[str] = None, metadata: Optional[Dict[str, str]] = None, webhook: Optional[CreateSessionWebhook] = None, external_id: Optional[str] = None, label: Optional[str] = None, proxy: Optional[CreateSessionProxy] = None, login: Optional[CreateSessionLogin] = None) -> ClientSession:
        """Create a session.

        POST /session

        :param metadata: At most 16384 bytes.
        :param webhook: url and token both filled, or both empty to turn the webhook off.
        :param login: Exactly one of phone, botToken, string.
        """
        result: ClientSession = self._session_of(await self._call('createSession', Arguments(body={'name': name, 'metadata': metadata, 'webhook': webhook, 'externalId': external_id, 'label': label, 'proxy': proxy, 'login': login})))
        return result

    async def issue_key(self, name: str, scopes: List[Literal['sessions:create', 'sessions:read', 'sessions:control', 'accounts', 'raw', 'strings', 'metrics', 'keys']], *, tenant: Optional[str] = None, expires: Optional[str] = None, limits: Optional[KeyLimits] = None, chats: Optional[List[str]] = None) -> IssueKeyResult:
        """Issue a key.

        POST /keys

        :param expires: ISO 8601.
        :param limits: How much the key may use; what is left out has no limit.
        :param chats: IDs of the only chats in which the key uses accounts; left out: all of them.
        """
        result: IssueKeyResult = await self._call('issueKey', Arguments(body={'name': name, 'scopes': scopes, 'tenant': tenant, 'expires': expires, 'limits': limits, 'chats': chats}))
        return result

    async def list_keys(self, *, after: Optional[str] = None, limit: Optional[int] = None, state: Optional[Literal['active', 'expired', 'revoked', 'any']] = None) -> ListKeysResult:
        """The keys, without their texts.

        GET /keys

        :param after: The `after` of the previous page.
        :param limit: Up to this many, 1 to 100; default 50.
        :param state: Only keys in this state; `any`: all. Default: active.
        """
        result: ListKeysResult = await self._call('listKeys', Arguments(query={'after': after, 'limit': limit, 'state': state}))
        return result

    async def revoke_key(self, id: str) -> Reference:
        """Revoke a key.

        DELETE /keys/{id}

        :param id: ID of the key.
        """
        result: Reference = await self._call('revokeKey', Arguments(path={'id': id}))
        return result

    async def create_link(self, *, session: Optional[CreateLinkSession] = None, expires: Optional[str] = None) -> CreateLinkResult:
        """Make a link for a customer.

        POST /links

        :param expires: ISO 8601, up to 7 days ahead; 24 hours if it is left out.
        """
        result: CreateLinkResult = await self._call('createLink', Arguments(body={'session': session, 'expires': expires}))
        return result

    async def list_links(self, *, after: Optional[str] = None, limit: Optional[int] = None, state: Optional[Literal['open', 'used', 'withdrawn', 'expired', 'any']] = None) -> ListLinksResult:
        """The links, without their tokens.

        GET /links

        :param after: The `after` of the previous page.
        :param limit: Up to this many, 1 to 100; default 50.
        :param state: Only links in this state; `any`: all. Default: open.
        """
        result: ListLinksResult = await self._call('listLinks', Arguments(query={'after': after, 'limit': limit, 'state': state}))
        return result

    async def withdraw_link(self, id: str) -> Reference:
        """Withdraw a link.

        DELETE /links/{id}

        :param id: ID of the link.
        """
        result: Reference = await self._call('withdrawLink', Arguments(path={'id': id}))
        return result

    async def add_operator_webhook(self, url: str, *, token: Optional[str] = None, events: Optional[List[Literal['session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset', 'session.deleted']]] = None) -> AddOperatorWebhookResult:
        """Add a webhook that is told of all sessions.

        POST /webhooks

        :param url: An http or https URL.
        """
        result: AddOperatorWebhookResult = await self._call('addOperatorWebhook', Arguments(body={'url': url, 'token': token, 'events': events}))
        return result

    async def list_operator_webhooks(self) -> ListOperatorWebhooksResult:
        """Operators’ webhooks, with the state of their deliveries.

        GET /webhooks
        """
        result: ListOperatorWebhooksResult = await self._call('listOperatorWebhooks', Arguments())
        return result

    async def get_operator_webhook(self, webhook_id: str) -> GetOperatorWebhookResult:
        """An operators’ webhook and the state of its deliveries.

        GET /webhooks/{webhookId}

        :param webhook_id: The webhook's `id`.
        """
        result: GetOperatorWebhookResult = await self._call('getOperatorWebhook', Arguments(path={'webhookId': webhook_id}))
        return result

    async def change_operator_webhook(self, webhook_id: str, url: str, *, token: Optional[str] = None, events: Optional[List[Literal['session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset', 'session.deleted']]] = None) -> ChangeOperatorWebhookResult:
        """Change an operators’ webhook.

        PUT /webhooks/{webhookId}

        :param webhook_id: The webhook's `id`.
        :param url: An http or https URL.
        """
        result: ChangeOperatorWebhookResult = await self._call('changeOperatorWebhook', Arguments(path={'webhookId': webhook_id}, body={'url': url, 'token': token, 'events': events}))
        return result

    async def remove_operator_webhook(self, webhook_id: str) -> Reference:
        """Remove an operators’ webhook.

        DELETE /webhooks/{webhookId}

        :param webhook_id: The webhook's `id`.
        """
        result: Reference = await self._call('removeOperatorWebhook', Arguments(path={'webhookId': webhook_id}))
        return result

    async def list_parked_of_operator_webhook(self, webhook_id: str) -> ListParkedOfOperatorWebhookResult:
        """The events that were given up after 24 hours.

        GET /webhooks/{webhookId}/parked

        :param webhook_id: The webhook's `id`.
        """
        result: ListParkedOfOperatorWebhookResult = await self._call('listParkedOfOperatorWebhook', Arguments(path={'webhookId': webhook_id}))
        return result

    async def replay_operator_webhook(self, webhook_id: str, *, session: Optional[str] = None, from_: Optional[int] = None, to: Optional[int] = None, seqs: Optional[List[int]] = None, parked: Optional[bool] = None) -> ReplayOperatorWebhookResult:
        """Send events to an operators’ webhook once more.

        POST /webhooks/{webhookId}/replay

        :param webhook_id: The webhook's `id`.
        :param session: With `seqs` or `from`: ID of the session.
        :param from_: The `seq` to begin with.
        :param to: With `from`: the last `seq`. Left out: all that come after.
        :param parked: `true`: all that are parked.
        """
        result: ReplayOperatorWebhookResult = await self._call('replayOperatorWebhook', Arguments(path={'webhookId': webhook_id}, body={'session': session, 'from': from_, 'to': to, 'seqs': seqs, 'parked': parked}))
        return result

    async def test_operator_webhook(self, webhook_id: str) -> TestOperatorWebhookResult:
        """Send a test to an operators’ webhook.

        POST /webhooks/{webhookId}/test

        :param webhook_id: The webhook's `id`.
        """
        result: TestOperatorWebhookResult = await self._call('testOperatorWebhook', Arguments(path={'webhookId': webhook_id}))
        return result

    async def list_sessions(self, *, after: Optional[str] = None, limit: Optional[int] = None, state: Optional[Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted', 'any']] = None, sort: Optional[Literal['created', '-created', 'since', '-since']] = None, external_id: Optional[str] = None, label: Optional[str] = None, tenant: Optional[str] = None, q: Optional[str] = None) -> ListSessionsResult:
        """All sessions, without personal data.

        GET /sessions

        :param after: The `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        :param state: Only sessions in this state; `any`: deleted ones too. Default: all that are not deleted.
        :param sort: By creation (`created`, the default) or by the start of the state (`since`); with `-` the newest first.
        :param external_id: Only the sessions with exactly this `externalId`.
        :param label: Only the sessions with exactly this `label`.
        :param tenant: Only the sessions of this tenant.
        :param q: Only sessions that have these characters in their `id`, `externalId` or `label`, large or small.
        """
        result: ListSessionsResult = await self._call('listSessions', Arguments(query={'after': after, 'limit': limit, 'state': state, 'sort': sort, 'externalId': external_id, 'label': label, 'tenant': tenant, 'q': q}))
        return result

    async def get_session_summary(self, id: str) -> SessionSummary:
        """One session, without personal data.

        GET /sessions/{id}

        :param id: ID of the session.
        """
        result: SessionSummary = await self._call('getSessionSummary', Arguments(path={'id': id}))
        return result

    async def change_named_session(self, id: str, *, external_id: Optional[str] = None, label: Optional[str] = None, pace: Union[Union[ChangeSessionResultPace, None], NotGiven] = NOT_GIVEN) -> ChangeNamedSessionResult:
        """Change a session’s own names, and its account’s pace.

        PATCH /sessions/{id}

        :param id: ID of the session.
        :param pace: What is left out has no limit; null: none has.
        """
        result: ChangeNamedSessionResult = await self._call('changeNamedSession', Arguments(path={'id': id}, body={'externalId': external_id, 'label': label, 'pace': nullable(pace)}))
        return result

    async def delete_session_by_id(self, id: str) -> Reference:
        """Delete a session, as its owner can.

        DELETE /sessions/{id}

        :param id: ID of the session.
        """
        result: Reference = await self._call('deleteSessionById', Arguments(path={'id': id}))
        return result

    async def get_session_stats(self, *, window: Optional[Literal['1h', '24h', '7d']] = None, history: Optional[bool] = None) -> GetSessionStatsResult:
        """Whether all is well: counts of an hour, a day or a week.

        GET /sessions/stats

        :param window: `1h`, `24h` or `7d`; default `1h`.
        :param history: `true`: also how many sessions were connected over the window, and the logins and losses of each part of it.
        """
        result: GetSessionStatsResult = await self._call('getSessionStats', Arguments(query={'window': window, 'history': history}))
        return result

    async def get_session_connection(self, id: str) -> GetSessionConnectionResult:
        """The attempts of a disconnected session to reconnect.

        GET /sessions/{id}/connection

        :param id: ID of the session.
        """
        result: GetSessionConnectionResult = await self._call('getSessionConnection', Arguments(path={'id': id}))
        return result

    async def reconnect_session(self, id: str) -> ReconnectSessionResult:
        """Have a disconnected session connect now.

        POST /sessions/{id}/connection

        :param id: ID of the session.
        """
        result: ReconnectSessionResult = await self._call('reconnectSession', Arguments(path={'id': id}))
        return result

    async def list_events_of(self, id: str, *, after: Optional[int] = None, limit: Optional[int] = None) -> ListEventsOfResult:
        """The events of any session, deleted ones too.

        GET /sessions/{id}/events

        :param after: Only events after this number: the `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        :param id: ID of the session.
        """
        result: ListEventsOfResult = await self._call('listEventsOf', Arguments(path={'id': id}, query={'after': after, 'limit': limit}))
        return result

    async def list_sends_of(self, id: str, *, after: Optional[int] = None, limit: Optional[int] = None) -> ListSendsOfResult:
        """Who has sent with an Idempotency-Key, for any session.

        GET /sessions/{id}/sends

        :param after: Only events after this number: the `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        :param id: ID of the session.
        """
        result: ListSendsOfResult = await self._call('listSendsOf', Arguments(path={'id': id}, query={'after': after, 'limit': limit}))
        return result

    async def replay_session_of(self, id: str, *, seq: Optional[int] = None, at: Optional[str] = None) -> PastSession:
        """Any session as it was at any moment, without personal data.

        GET /sessions/{id}/replay

        :param seq: The moment after this event.
        :param at: The moment at this time (ISO 8601).
        :param id: ID of the session.
        """
        result: PastSession = await self._call('replaySessionOf', Arguments(path={'id': id}, query={'seq': seq, 'at': at}))
        return result

    async def list_usage(self, *, tenant: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None) -> ListUsageResult:
        """What sessions have used, by day, session and key.

        GET /usage

        :param tenant: Only the sessions of this tenant.
        :param from_: The first day; default: 29 days before the last one, at most 399.
        :param to: The last day; default: today.
        :param after: The `after` of the previous page.
        :param limit: Up to this many, 1 to 1000; default 100.
        """
        result: ListUsageResult = await self._call('listUsage', Arguments(query={'tenant': tenant, 'from': from_, 'to': to, 'after': after, 'limit': limit}))
        return result

    async def list_nodes(self) -> ListNodesResult:
        """The gateways on this store, and what each owns.

        GET /nodes
        """
        result: ListNodesResult = await self._call('listNodes', Arguments())
        return result

    async def reset_session_by_id(self, id: str) -> ResetSessionByIdResult:
        """Log out and show a fresh QR, as its owner can.

        POST /sessions/{id}/reset

        :param id: ID of the session.
        """
        result: ResetSessionByIdResult = await self._call('resetSessionById', Arguments(path={'id': id}))
        return result

    async def switch_webhook(self, id: str, *, url: Optional[str] = None, token: Optional[str] = None, events: Optional[List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]] = None, chats: Optional[Union[Literal['private', 'groups', 'channels', 'all'], List[str]]] = None) -> SwitchWebhookResult:
        """Turn the webhook of a session off, or set it.

        PUT /sessions/{id}/webhook

        :param id: ID of the session.
        :param url: An http or https URL.
        """
        result: SwitchWebhookResult = await self._call('switchWebhook', Arguments(path={'id': id}, body={'url': url, 'token': token, 'events': events, 'chats': chats}))
        return result

    async def rotate_secret(self, id: str) -> RotateSecretResult:
        """Give a session a new secret.

        POST /sessions/{id}/secret

        :param id: ID of the session.
        """
        result: RotateSecretResult = await self._call('rotateSecret', Arguments(path={'id': id}))
        return result

    def iter_keys(self, *, limit: Optional[int] = None, state: Optional[Literal['active', 'expired', 'revoked', 'any']] = None) -> AsyncIterator[Key]:
        """The keys, without their texts. One after the other, over all pages."""
        return self._pages('listKeys', 'after', Arguments(query={'limit': limit, 'state': state}))

    def iter_links(self, *, limit: Optional[int] = None, state: Optional[Literal['open', 'used', 'withdrawn', 'expired', 'any']] = None) -> AsyncIterator[Link]:
        """The links, without their tokens. One after the other, over all pages."""
        return self._pages('listLinks', 'after', Arguments(query={'limit': limit, 'state': state}))

    def iter_sessions(self, *, limit: Optional[int] = None, state: Optional[Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted', 'any']] = None, sort: Optional[Literal['created', '-created', 'since', '-since']] = None, external_id: Optional[str] = None, label: Optional[str] = None, tenant: Optional[str] = None, q: Optional[str] = None) -> AsyncIterator[SessionSummary]:
        """All sessions, without personal data. One after the other, over all pages."""
        return self._pages('listSessions', 'after', Arguments(query={'limit': limit, 'state': state, 'sort': sort, 'externalId': external_id, 'label': label, 'tenant': tenant, 'q': q}))

    def iter_events_of(self, id: str, *, limit: Optional[int] = None) -> AsyncIterator[AuditEntry]:
        """The events of any session, deleted ones too. One after the other, over all pages."""
        return self._pages('listEventsOf', 'after', Arguments(path={'id': id}, query={'limit': limit}))

    def iter_sends_of(self, id: str, *, limit: Optional[int] = None) -> AsyncIterator[SendEntry]:
        """Who has sent with an Idempotency-Key, for any session. One after the other, over all pages."""
        return self._pages('listSendsOf', 'after', Arguments(path={'id': id}, query={'limit': limit}))

    def iter_usage(self, *, tenant: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[SessionUsage]:
        """What sessions have used, by day, session and key. One after the other, over all pages."""
        return self._pages('listUsage', 'after', Arguments(query={'tenant': tenant, 'from': from_, 'to': to, 'limit': limit}))
