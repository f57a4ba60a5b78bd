# Written by `python3 -m generator` from docs/openapi.json: change that, not this.
# mypy: disable-error-code=misc
"""What the gateway takes and answers, by the interface's names."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class Reference(TypedDict):
    """Says that it was done, and to what."""
    id: str


class _SessionRequired(TypedDict):
    id: str
    """Main ID of the session."""
    generatedId: str
    """User ID of the logged-in account. Empty if it has never connected."""
    name: str
    """Account name. Falls back to username, phone or ID when empty."""
    username: str
    """Account username without @. Empty if none."""
    phone: str
    """Account phone number."""
    sessionId: str
    """The secret of the session, as the caller sent it."""
    isConnected: bool
    """True when logged in and connected."""
    qrcode: str
    """QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state."""
    isPasswordRequired: bool
    """True when the QR was scanned and the two-step password is awaited."""
    passwordHint: str
    """Password hint set on Telegram. May be empty."""
    isCodeRequired: bool
    """True when a login code was sent and is awaited."""
    codeSentTo: Literal['', 'app', 'sms', 'call', 'email', 'fragment']
    """How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment."""
    picture: str
    """Small profile photo as a data URI. May be empty."""
    webhook: SessionWebhook
    """Both empty while the webhook is off."""


class Session(_SessionRequired, total=False):
    metadata: Dict[str, str]
    """As given by the caller."""
    externalId: str
    """The caller’s own ID of the session. Left out if it has none."""
    label: str
    """The caller’s own name for the session. Left out if it has none."""
    proxy: SessionProxy
    """The proxy, without its user name, password or secret."""


class SessionWebhook(TypedDict):
    """Both empty while the webhook is off."""
    url: str
    token: str


class SessionProxy(TypedDict):
    """The proxy, without its user name, password or secret."""
    url: str
    """`socks5://host:port`, `http://host:port` or `tg://proxy?server=…`. Empty while there is no proxy."""


class _CreatedSessionRequired(TypedDict):
    id: str
    """Main ID of the session."""
    generatedId: str
    """User ID of the logged-in account. Empty if it has never connected."""
    name: str
    """Account name. Falls back to username, phone or ID when empty."""
    username: str
    """Account username without @. Empty if none."""
    phone: str
    """Account phone number."""
    sessionId: str
    """The secret of the session, as the caller sent it."""
    isConnected: bool
    """True when logged in and connected."""
    qrcode: str
    """QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state."""
    isPasswordRequired: bool
    """True when the QR was scanned and the two-step password is awaited."""
    passwordHint: str
    """Password hint set on Telegram. May be empty."""
    isCodeRequired: bool
    """True when a login code was sent and is awaited."""
    codeSentTo: Literal['', 'app', 'sms', 'call', 'email', 'fragment']
    """How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment."""
    picture: str
    """Small profile photo as a data URI. May be empty."""
    webhook: SessionWebhook
    """Both empty while the webhook is off."""
    created: str
    """When the session was created. ISO 8601."""
    expires: str
    """When its state ends by itself. ISO 8601, or empty."""


class CreatedSession(_CreatedSessionRequired, total=False):
    metadata: Dict[str, str]
    """As given by the caller."""
    externalId: str
    """The caller’s own ID of the session. Left out if it has none."""
    label: str
    """The caller’s own name for the session. Left out if it has none."""
    proxy: SessionProxy
    """The proxy, without its user name, password or secret."""


class SessionSummary(TypedDict):
    id: str
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    since: str
    """Start of the state. ISO 8601."""
    reason: str
    """Reason of the state: `logged-in`, `qr-timeout`, `SESSION_REVOKED`, …"""
    deadline: str
    """When the state ends by itself. ISO 8601, or empty."""
    created: str
    """When the session was created. ISO 8601."""
    externalId: str
    """The caller’s own ID of the session. Empty if it has none."""
    label: str
    """The caller’s own name for the session. Empty if it has none."""
    hasWebhook: bool
    tenant: str
    """The tenant of the key that created it; empty without one."""
    held: bool
    """An event of the session cannot be read: requests of its owner get `session not found` (500), and no deadline ends it. It is active again after a start that can read the event."""


class Key(TypedDict):
    id: str
    """ID of the key."""
    name: str
    """Recorded with all that the key does."""
    scopes: List[Literal['sessions:create', 'sessions:read', 'sessions:control', 'accounts', 'raw', 'strings', 'metrics', 'keys']]
    tenant: str
    """The only tenant whose sessions the key sees; empty without one."""
    created: str
    """When it was issued. ISO 8601."""
    by: str
    """Who issued it: `owner`, or the name of a key."""
    expires: str
    """When it ends by itself. ISO 8601, or empty."""
    revoked: str
    """When it was revoked. ISO 8601, or empty."""
    limits: KeyLimits
    """How much it may use; what is left out has no limit."""
    chats: List[str]
    """IDs of the only chats in which it uses accounts; empty: all of them."""
    state: Literal['active', 'expired', 'revoked']


class KeyLimits(TypedDict, total=False):
    """How much it may use; what is left out has no limit."""
    sessions: int
    """Live sessions that the key has created."""
    sendsPerDay: int
    """Messages in a day, in UTC."""


class OperatorWebhook(TypedDict):
    id: str
    """ID of the webhook."""
    url: str
    events: List[Literal['session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset', 'session.deleted']]
    tenant: str
    """The tenant whose sessions it is told of; empty: all sessions."""
    created: str
    """When it was added. ISO 8601."""
    by: str
    """Who set it last: `owner`, or the name of a key."""
    paused: bool
    """Whether it gets nothing, because that key is revoked or has expired."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class SessionUsage(TypedDict):
    day: str
    """In UTC: `2026-11-25`."""
    tenant: str
    """Of the session; empty if it has none."""
    key: str
    """ID of the key; empty without one."""
    keyName: str
    """Its name; empty without one."""
    session: str
    """Session ID."""
    sends: SessionUsageSends
    deliveries: SessionUsageDeliveries
    mediaBytes: int
    """Bytes of files that were sent, and of files that viewers of media links got."""
    sessionHours: float
    """How long the session lived on that day, in the row of the key that created it."""


class SessionUsageSends(TypedDict):
    ok: int
    """Messages and stories that Telegram has."""
    failed: int
    """Those that could not be sent."""


class SessionUsageDeliveries(TypedDict):
    ok: int
    """Events that webhooks took."""
    failed: int
    """Attempts that failed."""
    parked: int
    """Deliveries that were given up."""


class Link(TypedDict):
    id: str
    """ID of the link."""
    state: Literal['open', 'used', 'withdrawn', 'expired']
    """`used`: the account of its session was connected."""
    externalId: str
    """The caller’s own ID of its session. Empty if it has none."""
    label: str
    """The caller’s own name for its session. Empty if it has none."""
    tenant: str
    """The tenant of the key that made it; empty without one."""
    created: str
    """When it was made. ISO 8601."""
    by: str
    """Who made it: `owner`, or the name of a key."""
    expires: str
    """When it ends by itself. ISO 8601."""
    ended: str
    """When it was used up or withdrawn. ISO 8601, or empty."""
    session: str
    """ID of the session that it has shown last; empty before the customer has pressed the button."""
    sessionsMade: int
    """How many sessions it has made, up to 10."""


class CustomerView(TypedDict):
    state: Literal['waiting', 'qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'used']
    """`waiting`: there is no session; `used`: the account is connected, and the link is used up."""
    deadline: str
    """When the state ends by itself. ISO 8601, or empty."""
    qrcode: str
    """QR image as base64 PNG; empty in every state but `qrPending`."""
    codeSentTo: Literal['', 'app', 'sms', 'call', 'email', 'fragment']
    sessionsLeft: int
    """How many more sessions the link can make."""


class AuditEntry(TypedDict):
    seq: int
    """Place in the session's log, from 1."""
    type: str
    """The fact: `LoggedIn`, `ConnectionLost`, …"""
    created: str
    """When it was recorded. ISO 8601."""
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    reason: str
    """Why the session was in that state."""
    data: AuditEntryData
    """With further details, which depend on the type of the event."""


_AuditEntryDataRequired = TypedDict(
    '_AuditEntryDataRequired',
    {
        'from': "Union[Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted'], None]",
        'since': 'str',
        'deadlines': 'List[AuditEntryDataDeadlinesItem]',
    },
)


class AuditEntryData(_AuditEntryDataRequired, total=False):
    by: str
    node: str


class AuditEntryDataDeadlinesItem(TypedDict):
    type: str
    due: str
    """When it fires. ISO 8601."""


class _SendEntryRequired(TypedDict):
    seq: int
    """Place in the log of the session's sends, from 1."""
    type: Literal['SendBegun', 'SendAnswered']
    """It began: Telegram is called next. Or its response was recorded: it was sent."""
    created: str
    """When it was recorded. ISO 8601."""
    send: str
    """The same for all that is recorded of one send. Made from the `Idempotency-Key`, which it does not tell."""


class SendEntry(_SendEntryRequired, total=False):
    by: str
    """Who sent: `owner`, the name of a key, or `session`. Only as it begins."""
    operation: str
    """The request: `POST /message`. Only as it begins."""


class PastSession(TypedDict):
    seq: int
    created: str
    """When the last event before that moment was recorded. ISO 8601."""
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    since: str
    """Start of the state. ISO 8601."""
    reason: str
    deadlines: List[AuditEntryDataDeadlinesItem]
    session: PastSessionSession
    """The Session object of a moment, without QR and token."""


class _PastSessionSessionRequired(TypedDict):
    id: str
    """Main ID of the session."""
    generatedId: str
    """User ID of the logged-in account. Empty if it has never connected."""
    name: str
    """Account name. Falls back to username, phone or ID when empty."""
    username: str
    """Account username without @. Empty if none."""
    phone: str
    """Account phone number."""
    isConnected: bool
    """True when logged in and connected."""
    qrcode: str
    """QR image as base64 PNG, without a data: prefix. Changes about every 30 seconds. Empty in every other state."""
    isPasswordRequired: bool
    """True when the QR was scanned and the two-step password is awaited."""
    passwordHint: str
    """Password hint set on Telegram. May be empty."""
    isCodeRequired: bool
    """True when a login code was sent and is awaited."""
    codeSentTo: Literal['', 'app', 'sms', 'call', 'email', 'fragment']
    """How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment."""
    picture: str
    """Small profile photo as a data URI. May be empty."""
    webhook: SessionWebhook
    """Both empty while the webhook is off."""


class PastSessionSession(_PastSessionSessionRequired, total=False):
    """The Session object of a moment, without QR and token."""
    metadata: Dict[str, str]
    """As given by the caller."""
    externalId: str
    """The caller’s own ID of the session. Left out if it has none."""
    label: str
    """The caller’s own name for the session. Left out if it has none."""
    proxy: SessionProxy
    """The proxy, without its user name, password or secret."""


class Account(TypedDict):
    id: str
    """User ID. Usable as `user` in Send Message."""
    name: str
    username: str
    """Without @. Empty if none."""
    phone: str
    """Empty unless shared with the account."""
    picture: str
    """Media link: the small profile photo, until there is another one; empty if none."""
    about: str
    """What the account says about itself."""
    isPremium: bool


class Device(TypedDict):
    id: str
    """`0` for this session."""
    isCurrent: bool
    """It is this session."""
    model: str
    platform: str
    app: str
    created: str
    """When it logged in. ISO 8601."""
    active: str
    """When it was last active. ISO 8601."""
    ip: str
    country: str


class User(TypedDict):
    id: str
    """User ID. Usable as `user` in Send Message."""
    name: str
    username: str
    """Without @. Empty if none."""
    phone: str
    """Empty unless shared with the account."""
    picture: str
    """Media link: the small profile photo, until there is another one; empty if none."""


class Person(TypedDict):
    id: str
    """User ID. Usable as `user` in Send Message."""
    name: str
    username: str
    """Without @. Empty if none."""
    phone: str
    """Empty unless shared with the account."""
    picture: str
    """Media link: the small profile photo, until there is another one; empty if none."""
    about: str
    """What they say about themselves."""
    isBot: bool
    isContact: bool
    isBlocked: bool
    """The account has blocked them."""
    isPremium: bool


class Chat(TypedDict):
    id: str
    """Chat ID. Usable as `user`, `group` or `channel` in Send Message."""
    kind: Literal['user', 'bot', 'group', 'channel']
    name: str
    username: str
    """Without @. Empty if none."""
    picture: str
    """Media link: the small photo, until there is another one; empty if none."""
    unread: int
    """Messages that were not read yet."""
    muted: bool
    pinned: bool
    archived: bool
    last: Union[Message, None]
    """The newest message; null if there is none, or it only says what happened in the chat."""


class _MessageRequired(TypedDict):
    id: str
    """Message ID."""
    chatId: str
    """The chat."""
    fromMe: bool
    """The account wrote it, here or elsewhere."""
    user: MessageUser
    """The other side of a private chat, whichever side wrote; else who wrote."""
    type: Literal['text', 'image', 'video', 'sticker', 'audio', 'voice', 'document', 'poll', 'location', 'contact']
    text: str
    """Message text, or the caption of media."""
    entities: List[MessageEntitiesItem]
    """Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out."""
    replyTo: str
    """ID of the message that it replies to; empty if none."""
    created: str
    """When it was sent. ISO 8601."""
    topic: str
    """The forum's topic; empty outside of forums."""
    reactions: List[MessageReactionsItem]
    buttons: List[List[MessageButtonsItemItem]]
    """Rows of inline buttons."""
    edited: str
    """When it was edited. ISO 8601, or empty."""


class Message(_MessageRequired, total=False):
    image: MessageImage
    video: MessageVideo
    sticker: MessageSticker
    audio: MessageAudio
    voice: MessageVoice
    document: MessageDocument
    polling: MessagePolling
    poll: MessagePoll
    location: MessageLocation
    contact: MessageContact


class MessageUser(TypedDict):
    """The other side of a private chat, whichever side wrote; else who wrote."""
    id: str
    """User ID, or the ID of the chat that wrote."""
    name: str
    username: str
    """Without @. Empty if none."""
    phone: str
    """Empty unless shared with the account."""
    picture: str
    """Media link: the small profile photo, until there is another one; empty if none."""


class _MessageEntitiesItemRequired(TypedDict):
    type: Literal['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'code', 'pre', 'blockquote', 'expandable_blockquote', 'text_link', 'text_mention', 'custom_emoji']
    offset: int
    """In UTF-16 code units, as `length`."""
    length: int


class MessageEntitiesItem(_MessageEntitiesItemRequired, total=False):
    url: str
    """Of a `text_link`."""
    userId: str
    """Of a `text_mention`."""
    language: str
    """Of a `pre`; empty if it names none."""
    customEmojiId: str
    """Of a `custom_emoji`."""


class MessageImage(TypedDict):
    url: str
    """Media link: the largest size."""
    thumbnail: str
    """Media link: about 800 pixels; empty when none is kept."""
    mimetype: str


class MessageVideo(TypedDict):
    url: str
    """Media link: the video."""
    thumbnail: str
    """Media link: 320 pixels; empty when none is kept."""
    duration: float
    """Seconds."""
    mimetype: str


class MessageSticker(TypedDict):
    url: str
    """Media link: the sticker."""
    mimetype: str


class MessageAudio(TypedDict):
    url: str
    """Media link: the music."""
    name: str
    duration: float
    """Seconds."""
    size: float
    """Bytes."""
    mimetype: str


class MessageVoice(TypedDict):
    url: str
    """Media link: the voice note."""
    duration: float
    """Seconds."""
    size: float
    """Bytes."""
    mimetype: str


class MessageDocument(TypedDict):
    url: str
    """Media link: the file."""
    name: str
    size: float
    """Bytes."""
    mimetype: str


class MessagePolling(TypedDict):
    name: str
    """The question."""
    options: List[str]


class MessagePoll(TypedDict):
    id: str
    """Poll ID."""
    question: str
    options: List[MessagePollOptionsItem]
    total: int
    """How many have voted."""
    multiple: bool
    """A voter may choose several options."""
    quiz: bool
    closed: bool
    explanation: str
    """Of a quiz, as soon as Telegram tells it; else empty."""


class MessagePollOptionsItem(TypedDict):
    text: str
    votes: Union[int, None]
    """null: Telegram does not tell before the account has voted, or the poll is closed."""
    chosen: bool
    """The account voted for it."""
    correct: bool
    """The right answer of a quiz, as soon as Telegram tells it."""


class MessageLocation(TypedDict):
    latitude: float
    longitude: float
    name: str
    """Of a venue; empty for a plain pin."""
    address: str
    """Of a venue; empty for a plain pin."""


class MessageContact(TypedDict):
    name: str
    phone: str
    userId: str
    """Empty if they are not on Telegram."""


class MessageReactionsItem(TypedDict):
    emoji: str
    """Empty for a custom emoji."""
    count: int
    fromMe: bool
    """The account reacted so."""


class MessageButtonsItemItem(TypedDict):
    text: str
    url: str
    """Empty unless it opens one."""


class Invite(TypedDict):
    link: str
    name: str
    """Only administrators see it."""
    created: str
    """When it was made. ISO 8601."""
    expires: str
    """Until when it can be used. ISO 8601, or empty."""
    limit: int
    """How many may join with it; 0: any number."""
    uses: int
    """How many have joined with it."""
    approval: bool
    """An administrator lets each of them in."""


class Group(TypedDict):
    id: str
    """-123… for basic groups, -100… for supergroups."""
    name: str
    username: str
    """Public username without @. Empty for private groups and basic groups."""
    description: str
    """Cached for 5 minutes."""
    picture: str
    """Small group photo as a data URI. May be empty."""
    created: str
    """When the account joined. ISO 8601."""


class GroupMember(TypedDict):
    id: str
    """User ID. Usable as `user` in Send Message and Send Typing."""
    name: str
    """If empty, filled with username, phone or ID."""
    username: str
    phone: str
    """Empty unless the member shared it with the account."""


class Channel(TypedDict):
    id: str
    """-100…"""
    name: str
    username: str
    """Public username without @. Empty for private channels."""
    picture: str
    """Small photo as a data URI. May be empty."""
    isOwner: bool
    """True when the account created or administers the channel."""
    created: str
    """When the account joined. ISO 8601."""


class _ChannelMessageRequired(TypedDict):
    id: str
    """Message ID."""
    serverId: int
    """Message ID as a number. Higher is newer."""
    url: str
    """Link to the message; of private channels for members only."""
    type: Literal['text', 'image', 'video', 'sticker', 'document', 'poll']
    text: str
    """Message text, or the caption of media."""
    created: str
    """When it was sent. ISO 8601."""


class ChannelMessage(_ChannelMessageRequired, total=False):
    image: ChannelMessageImage
    video: ChannelMessageVideo
    sticker: ChannelMessageSticker
    document: ChannelMessageDocument
    polling: ChannelMessagePolling


class ChannelMessageImage(TypedDict):
    url: str
    """Media link: the largest size, up to 2560 pixels."""
    thumbnail: str
    """Media link: about 800 pixels."""
    mimetype: str


class ChannelMessageVideo(TypedDict):
    url: str
    """Media link: the video."""
    thumbnail: str
    """Media link: 320 pixels; empty when none is kept."""
    duration: float
    """Seconds."""
    mimetype: str


class ChannelMessageSticker(TypedDict):
    url: str
    """Media link: the sticker."""
    mimetype: str


class ChannelMessageDocument(TypedDict):
    url: str
    """Media link: the file."""
    name: str
    size: float
    """Bytes."""
    mimetype: str


class ChannelMessagePolling(TypedDict):
    name: str
    """The question."""
    options: List[str]


class Recipient(TypedDict, total=False):
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _TextOutgoingMessageRequired(TypedDict):
    type: Literal['text']
    text: str
    """Must not be blank."""


class TextOutgoingMessage(_TextOutgoingMessageRequired, total=False):
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _ImageOutgoingMessageRequired(TypedDict):
    type: Literal['image']
    image: ImageOutgoingMessageImage
    """Exactly one of url, data, file."""


class ImageOutgoingMessage(_ImageOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _ImageOutgoingMessageImageRequired(TypedDict):
    mimetype: str


class ImageOutgoingMessageImage(_ImageOutgoingMessageImageRequired, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str
    thumbnail: str


class _VideoOutgoingMessageRequired(TypedDict):
    type: Literal['video']
    video: VideoOutgoingMessageVideo
    """Exactly one of url, data, file."""


class VideoOutgoingMessage(_VideoOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _VideoOutgoingMessageVideoRequired(TypedDict):
    mimetype: str
    duration: float


class VideoOutgoingMessageVideo(_VideoOutgoingMessageVideoRequired, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str
    thumbnail: str
    """An http or https URL."""


class _AudioOutgoingMessageRequired(TypedDict):
    type: Literal['audio']
    audio: AudioOutgoingMessageAudio
    """Exactly one of url, data, file."""


class AudioOutgoingMessage(_AudioOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _AudioOutgoingMessageAudioRequired(TypedDict):
    mimetype: str
    duration: float


class AudioOutgoingMessageAudio(_AudioOutgoingMessageAudioRequired, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class _DocumentOutgoingMessageRequired(TypedDict):
    type: Literal['document']
    document: DocumentOutgoingMessageDocument
    """Exactly one of url, data, file."""


class DocumentOutgoingMessage(_DocumentOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _DocumentOutgoingMessageDocumentRequired(TypedDict):
    name: str
    """Must not be blank."""
    size: float
    mimetype: str


class DocumentOutgoingMessageDocument(_DocumentOutgoingMessageDocumentRequired, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class _LocationOutgoingMessageRequired(TypedDict):
    type: Literal['location']
    location: LocationOutgoingMessageLocation


class LocationOutgoingMessage(_LocationOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _LocationOutgoingMessageLocationRequired(TypedDict):
    latitude: float
    """Must not be 0."""
    longitude: float
    """Must not be 0."""


class LocationOutgoingMessageLocation(_LocationOutgoingMessageLocationRequired, total=False):
    name: str
    address: str


class _ContactOutgoingMessageRequired(TypedDict):
    type: Literal['contact']
    contact: ContactOutgoingMessageContact


class ContactOutgoingMessage(_ContactOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class ContactOutgoingMessageContact(TypedDict):
    name: str
    """Must not be blank."""
    phone: str


class _VoiceOutgoingMessageRequired(TypedDict):
    type: Literal['voice']
    voice: VoiceOutgoingMessageVoice
    """Exactly one of url, data, file."""


class VoiceOutgoingMessage(_VoiceOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class VoiceOutgoingMessageVoice(TypedDict, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class _VideoNoteOutgoingMessageRequired(TypedDict):
    type: Literal['videoNote']
    videoNote: VideoNoteOutgoingMessageVideoNote
    """Exactly one of url, data, file."""


class VideoNoteOutgoingMessage(_VideoNoteOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class VideoNoteOutgoingMessageVideoNote(TypedDict, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class _AnimationOutgoingMessageRequired(TypedDict):
    type: Literal['animation']
    animation: AnimationOutgoingMessageAnimation
    """Exactly one of url, data, file."""


class AnimationOutgoingMessage(_AnimationOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class AnimationOutgoingMessageAnimation(TypedDict, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class _StickerOutgoingMessageRequired(TypedDict):
    type: Literal['sticker']
    sticker: StickerOutgoingMessageSticker
    """Exactly one of url, data, file."""


class StickerOutgoingMessage(_StickerOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class StickerOutgoingMessageSticker(TypedDict, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class _PollOutgoingMessageRequired(TypedDict):
    type: Literal['poll']
    poll: PollOutgoingMessagePoll


class PollOutgoingMessage(_PollOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _PollOutgoingMessagePollRequired(TypedDict):
    question: str
    """Must not be blank."""
    options: List[str]


class PollOutgoingMessagePoll(_PollOutgoingMessagePollRequired, total=False):
    multiple: bool
    """A voter may choose several options."""
    quiz: PollOutgoingMessagePollQuiz


class _PollOutgoingMessagePollQuizRequired(TypedDict):
    correct: int
    """Place of the right option, counted from 0."""


class PollOutgoingMessagePollQuiz(_PollOutgoingMessagePollQuizRequired, total=False):
    explanation: str


class ImageAlbumItem(TypedDict):
    type: Literal['image']
    image: ImageOutgoingMessageImage
    """Exactly one of url, data, file."""


class VideoAlbumItem(TypedDict):
    type: Literal['video']
    video: VideoOutgoingMessageVideo
    """Exactly one of url, data, file."""


class AudioAlbumItem(TypedDict):
    type: Literal['audio']
    audio: AudioOutgoingMessageAudio
    """Exactly one of url, data, file."""


class DocumentAlbumItem(TypedDict):
    type: Literal['document']
    document: DocumentOutgoingMessageDocument
    """Exactly one of url, data, file."""


class _AlbumOutgoingMessageRequired(TypedDict):
    type: Literal['album']
    album: AlbumOutgoingMessageAlbum


class AlbumOutgoingMessage(_AlbumOutgoingMessageRequired, total=False):
    text: str
    """Must not be blank."""
    parseMode: Literal['markdown', 'html']
    replyTo: str
    topic: str
    """Of a forum: the ID of a topic. 1 is General."""
    silent: bool
    sendAt: str
    """When Telegram sends it: up to a year ahead, with a zone. Left out: now."""
    group: str
    """A group, by ID or username."""
    channel: str
    """A channel, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class AlbumOutgoingMessageAlbum(TypedDict):
    items: List[AlbumItem]


class RecipientButChannel(TypedDict, total=False):
    group: str
    """A group, by ID or username."""
    user: str
    """A user ID."""
    username: str
    """A username."""
    phone: str
    """A phone number, with the country code."""


class _ImageStoryRequired(TypedDict):
    type: Literal['image']
    image: ImageOutgoingMessageImage
    """Exactly one of url, data, file."""


class ImageStory(_ImageStoryRequired, total=False):
    text: str
    parseMode: Literal['markdown', 'html']
    privacy: Literal['contacts', 'everyone', 'close_friends']
    period: Literal[6, 12, 24, 48]


class _VideoStoryRequired(TypedDict):
    type: Literal['video']
    video: VideoOutgoingMessageVideo
    """Exactly one of url, data, file."""


class VideoStory(_VideoStoryRequired, total=False):
    text: str
    parseMode: Literal['markdown', 'html']
    privacy: Literal['contacts', 'everyone', 'close_friends']
    period: Literal[6, 12, 24, 48]


class LiveResult(TypedDict):
    status: str


class _ReadyResultRequired(TypedDict):
    status: str


class ReadyResult(_ReadyResultRequired, total=False):
    warnings: List[str]
    """What an operator has to mend although requests are served."""


class CreateSessionWebhook(TypedDict, total=False):
    """url and token both filled, or both empty to turn the webhook off."""
    url: str
    """An http or https URL."""
    token: str
    events: List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]
    chats: Union[Literal['private', 'groups', 'channels', 'all'], List[str]]


class CreateSessionProxy(TypedDict):
    url: str
    """`socks5://user:password@host:port`, `http://user:password@host:port` (CONNECT), or the `tg://proxy` link of an MTProto proxy. May be empty."""


class CreateSessionLogin(TypedDict, total=False):
    """Exactly one of phone, botToken, string."""
    phone: str
    botToken: str
    string: str


class Reference_(TypedDict):
    id: str
    """Session ID."""


class ChangeSessionResult(TypedDict):
    id: str
    """Session ID."""
    externalId: str
    """The caller’s own ID of the session. Empty if it has none."""
    label: str
    """The caller’s own name for the session. Empty if it has none."""
    pace: Union[Union[ChangeSessionResultPace, None], None]
    """Null if the account has none."""


class ChangeSessionResultPace(TypedDict, total=False):
    """What is left out has no limit; null: none has."""
    perMinute: int
    newChatsPerDay: int


class IssueKeyResult(TypedDict):
    id: str
    """ID of the key."""
    name: str
    """Recorded with all that the key does."""
    scopes: List[Literal['sessions:create', 'sessions:read', 'sessions:control', 'accounts', 'raw', 'strings', 'metrics', 'keys']]
    tenant: str
    """The only tenant whose sessions the key sees; empty without one."""
    created: str
    """When it was issued. ISO 8601."""
    by: str
    """Who issued it: `owner`, or the name of a key."""
    expires: str
    """When it ends by itself. ISO 8601, or empty."""
    revoked: str
    """When it was revoked. ISO 8601, or empty."""
    limits: KeyLimits
    """How much it may use; what is left out has no limit."""
    chats: List[str]
    """IDs of the only chats in which it uses accounts; empty: all of them."""
    state: Literal['active', 'expired', 'revoked']
    key: str
    """The key itself, as `x-api-key` takes it. It is not stored, and never shown again."""


class ListKeysResult(TypedDict):
    docs: List[Key]
    after: str
    """The `after` of the next page; empty when there is none."""


class Reference__(TypedDict):
    id: str
    """ID of the key."""


class CreateLinkResult(TypedDict):
    id: str
    """ID of the link."""
    url: str
    """What the customer opens. It holds the token, which is not stored and never shown again."""
    expires: str
    """When it ends by itself. ISO 8601."""


class CreateLinkSession(TypedDict, total=False):
    name: str
    metadata: Dict[str, str]
    """At most 16384 bytes."""
    webhook: CreateSessionWebhook
    """url and token both filled, or both empty to turn the webhook off."""
    externalId: str
    label: str
    proxy: CreateSessionProxy


class ListLinksResult(TypedDict):
    docs: List[Link]
    after: str
    """The `after` of the next page; empty when there is none."""


class Reference___(TypedDict):
    id: str
    """ID of the link."""


class AddOperatorWebhookResult(TypedDict):
    id: str
    """ID of the webhook."""
    url: str
    events: List[Literal['session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset', 'session.deleted']]
    tenant: str
    """The tenant whose sessions it is told of; empty: all sessions."""
    created: str
    """When it was added. ISO 8601."""
    by: str
    """Who set it last: `owner`, or the name of a key."""
    paused: bool
    """Whether it gets nothing, because that key is revoked or has expired."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""
    token: str
    """The token that its requests have and that signs them. It is never shown again."""


class ListOperatorWebhooksResult(TypedDict):
    docs: List[OperatorWebhook]


class GetOperatorWebhookResult(TypedDict):
    id: str
    """ID of the webhook."""
    url: str
    events: List[Literal['session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset', 'session.deleted']]
    tenant: str
    """The tenant whose sessions it is told of; empty: all sessions."""
    created: str
    """When it was added. ISO 8601."""
    by: str
    """Who set it last: `owner`, or the name of a key."""
    paused: bool
    """Whether it gets nothing, because that key is revoked or has expired."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class ChangeOperatorWebhookResult(TypedDict):
    id: str
    """ID of the webhook."""
    url: str
    events: List[Literal['session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset', 'session.deleted']]
    tenant: str
    """The tenant whose sessions it is told of; empty: all sessions."""
    created: str
    """When it was added. ISO 8601."""
    by: str
    """Who set it last: `owner`, or the name of a key."""
    paused: bool
    """Whether it gets nothing, because that key is revoked or has expired."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class Reference____(TypedDict):
    id: str
    """The `webhookId`."""


class ListParkedOfOperatorWebhookResult(TypedDict):
    docs: List[ListParkedOfOperatorWebhookResultDocsItem]


class ListParkedOfOperatorWebhookResultDocsItem(TypedDict):
    session: str
    """ID of the session."""
    seq: int
    """Number of the event in the log of the session."""
    parked: str
    """When it was given up. ISO 8601, or empty."""
    error: str
    """Why it was given up."""


class ReplayOperatorWebhookResult(TypedDict):
    id: str
    """Session ID; of an operators’ webhook, its own."""
    pending: int
    """Events that are to be delivered."""


class TestOperatorWebhookResult(TypedDict):
    id: str
    """ID of the test event."""
    delivered: bool
    status: int
    """Status of the response; 0 without a response."""
    error: str
    """Why the test failed. Empty if it was delivered."""


class ListSessionsResult(TypedDict):
    docs: List[SessionSummary]
    after: str
    """The `after` of the next page; empty when there is none."""


class ChangeNamedSessionResult(TypedDict):
    id: str
    """Session ID."""
    externalId: str
    """The caller’s own ID of the session. Empty if it has none."""
    label: str
    """The caller’s own name for the session. Empty if it has none."""
    pace: Union[Union[ChangeSessionResultPace, None], None]
    """Null if the account has none."""


class Reference_____(TypedDict):
    id: str
    """Session ID."""


class _GetSessionStatsResultRequired(TypedDict):
    window: Literal['1h', '24h', '7d']
    since: str
    """From when on events are counted: whole minutes for an hour, 10 minutes for a day, hours for a week. ISO 8601."""
    version: str
    """Version of the gateway."""
    startedAt: str
    """When this gateway started. ISO 8601."""
    store: Literal['sqlite', 'kurrentdb']
    """Where the events are."""
    states: GetSessionStatsResultStates
    """How many sessions are in each state now; deleted ones until their log is removed."""
    logins: int
    """Logins, and logins that were imported."""
    losses: List[GetSessionStatsResultLossesItem]
    """Logins that ended without their callers’ wish, by reason, the most frequent first."""
    lastLosses: List[GetSessionStatsResultLastLossesItem]
    """The last of them, the newest first; up to 20."""
    sends: SessionUsageSends
    deliveries: SessionUsageDeliveries
    backlog: GetSessionStatsResultBacklog
    waits: int
    """How often Telegram asked to wait."""


class GetSessionStatsResult(_GetSessionStatsResultRequired, total=False):
    history: List[GetSessionStatsResultHistoryItem]
    """With `history=true`: the parts of the window, the oldest first."""


class GetSessionStatsResultStates(TypedDict):
    """How many sessions are in each state now; deleted ones until their log is removed."""
    qrPending: int
    codeRequired: int
    passwordRequired: int
    connected: int
    disconnected: int
    deleted: int


class GetSessionStatsResultLossesItem(TypedDict):
    reason: str
    count: int


class GetSessionStatsResultLastLossesItem(TypedDict):
    id: str
    """Session ID."""
    externalId: str
    """The caller’s own ID of the session. Empty if it has none."""
    label: str
    """The caller’s own name for the session. Empty if it has none."""
    reason: str
    """Why the login ended: `SESSION_REVOKED`, `disconnected-timeout`, …"""
    at: str
    """When. ISO 8601."""


class GetSessionStatsResultBacklog(TypedDict):
    pending: int
    """Deliveries that are not made yet."""
    oldest: str
    """When the oldest of them was recorded. ISO 8601, or empty."""


class GetSessionStatsResultHistoryItem(TypedDict):
    at: str
    """Begin of a part of the window: a minute, 10 minutes or an hour. ISO 8601."""
    connected: int
    """Sessions that were connected at its end; of the last part, now."""
    logins: int
    """Logins in it."""
    lost: int
    """Logins that ended in it without their callers’ wish."""


class GetSessionConnectionResult(TypedDict):
    id: str
    """Session ID."""
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    attempts: int
    """Failed attempts to connect since it was connected last."""
    cause: str
    """Why the last one failed: `unreachable`, `proxy-refused`. Empty if none has failed."""
    nextAttempt: str
    """When the next one begins. Empty while one is under way, or none is made. ISO 8601, or empty."""


class ReconnectSessionResult(TypedDict):
    id: str
    """Session ID."""
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    attempts: int
    """Failed attempts to connect since it was connected last."""
    cause: str
    """Why the last one failed: `unreachable`, `proxy-refused`. Empty if none has failed."""
    nextAttempt: str
    """When the next one begins. Empty while one is under way, or none is made. ISO 8601, or empty."""


class ListEventsOfResult(TypedDict):
    docs: List[AuditEntry]
    after: int
    """The `after` of the next page."""


class ListSendsOfResult(TypedDict):
    docs: List[SendEntry]
    after: int
    """The `after` of the next page."""


class ListUsageResult(TypedDict):
    docs: List[SessionUsage]
    after: str
    """The `after` of the next page; empty when there is none."""


class ListNodesResult(TypedDict):
    docs: List[ListNodesResultDocsItem]


class ListNodesResultDocsItem(TypedDict):
    name: str
    """Name of the node; another one after each start."""
    self: bool
    """Whether it is the node that answers."""
    url: str
    """Where the other nodes reach it. Empty if the gateway is alone, and for keys of a tenant."""
    version: str
    """Version of the gateway."""
    started: str
    """When it started. ISO 8601."""
    heard: str
    """When the node that answers heard of it last. ISO 8601."""
    live: bool
    """Whether it is there. A node that was killed stays in the list for a moment; what it owns then has no owner yet."""
    sessions: Union[int, None]
    """The live sessions that it acts for. null if it does not say, and for keys of a tenant."""
    partitions: List[int]
    """The partitions that it owns, of 64. Each session is in one of them."""


class ResetSessionByIdResult(TypedDict):
    id: str
    """Session ID."""
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    deadline: str
    """When the state ends by itself. ISO 8601, or empty."""


class SwitchWebhookResult(TypedDict):
    id: str
    """Session ID."""
    hasWebhook: bool


class RotateSecretResult(TypedDict):
    id: str
    """Session ID."""
    sessionId: str
    """The new secret of the session."""


class ExportLoginResult(TypedDict):
    id: str
    """Session ID."""
    format: Literal['telethon', 'pyrogram', 'gramjs', 'mtcute']
    string: str
    """The session string. It is a secret: it gives access to the whole account."""


class SetProxyResult(TypedDict):
    id: str
    """Session ID."""
    proxy: SessionProxy
    """The proxy, without its user name, password or secret."""


class RequestLoginCodeResult(TypedDict):
    id: str
    """Session ID."""
    isConnected: bool
    """True when logged in and connected."""
    codeSentTo: Literal['', 'app', 'sms', 'call', 'email', 'fragment']
    """How the code was sent: to the app, as a text message, by a call, to an e-mail address, or by Fragment."""


class SubmitLoginCodeResult(TypedDict):
    id: str
    """Session ID."""
    isConnected: bool
    """True when logged in and connected."""
    isPasswordRequired: bool
    """True when the QR was scanned and the two-step password is awaited."""


class Reference______(TypedDict):
    id: str
    """Session ID."""


class GetPaceResult(TypedDict):
    id: str
    """Session ID."""
    pace: Union[Union[ChangeSessionResultPace, None], None]
    """Null if the account has none."""
    waiting: int
    """Sends that wait for their turn."""
    nextTurn: str
    """When one more message would have its turn; empty without a pace. ISO 8601, or empty."""
    lastMinute: int
    """Messages of the last minute."""
    newChats: int
    """Chats of the last 24 hours that had no messages before."""


class ListWebhooksResult(TypedDict):
    docs: List[ListWebhooksResultDocsItem]


class ListWebhooksResultDocsItem(TypedDict):
    id: str
    """Of the webhook: its `webhookId`, as long as it is on."""
    url: str
    token: str
    events: List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]
    """Empty while the webhook is off."""
    chats: Union[Literal['private', 'groups', 'channels', 'all'], List[str]]
    """A word for kinds of chats, or the IDs of chats."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class AddWebhookResult(TypedDict):
    id: str
    """Of the webhook: its `webhookId`, as long as it is on."""
    url: str
    token: str
    events: List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]
    """Empty while the webhook is off."""
    chats: Union[Literal['private', 'groups', 'channels', 'all'], List[str]]
    """A word for kinds of chats, or the IDs of chats."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class GetOneWebhookResult(TypedDict):
    id: str
    """Of the webhook: its `webhookId`, as long as it is on."""
    url: str
    token: str
    events: List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]
    """Empty while the webhook is off."""
    chats: Union[Literal['private', 'groups', 'channels', 'all'], List[str]]
    """A word for kinds of chats, or the IDs of chats."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class ChangeWebhookResult(TypedDict):
    id: str
    """Of the webhook: its `webhookId`, as long as it is on."""
    url: str
    token: str
    events: List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]
    """Empty while the webhook is off."""
    chats: Union[Literal['private', 'groups', 'channels', 'all'], List[str]]
    """A word for kinds of chats, or the IDs of chats."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class Reference_______(TypedDict):
    id: str
    """The `webhookId`."""


class ListParkedOfResult(TypedDict):
    docs: List[ListParkedOfResultDocsItem]
    after: int
    """The `after` of the next page."""


class ListParkedOfResultDocsItem(TypedDict):
    seq: int
    id: str
    """ID of the event."""
    type: str
    created: str
    """When the event was recorded. ISO 8601."""
    error: str
    """Why the event was given up."""


class ListDeliveriesOfResult(TypedDict):
    docs: List[ListDeliveriesOfResultDocsItem]
    after: str
    """The `after` of the next page; empty at the end. A page may end before its limit."""


class _ListDeliveriesOfResultDocsItemRequired(TypedDict):
    seq: int
    """Number of the event."""
    id: str
    """ID of the event."""
    type: str
    """Type of the event. Empty if it cannot be read."""
    created: str
    """When the event was recorded. ISO 8601."""
    status: Literal['pending', 'parked', 'delivered']
    attempts: int
    """Attempts so far; 0 while it waits behind an earlier one of its chat. Of one that is finished: 1, or more if it is among the last 500 that took several."""
    lastStatus: int
    """Status of the response to its last attempt, if that failed; else 0."""
    lastError: str
    """Why its last attempt failed. Empty if none has failed, or once it is delivered."""
    nextAttempt: str
    """When its chat is tried next, if that has failed. ISO 8601, or empty."""


class ListDeliveriesOfResultDocsItem(_ListDeliveriesOfResultDocsItemRequired, total=False):
    event: Dict[str, Any]
    """The envelope, as its endpoint gets it. Left out if it cannot be opened."""


class ReplayWebhookOfResult(TypedDict):
    id: str
    """Session ID; of an operators’ webhook, its own."""
    pending: int
    """Events that are to be delivered."""


class TestWebhookOfResult(TypedDict):
    id: str
    """ID of the test event."""
    delivered: bool
    status: int
    """Status of the response; 0 without a response."""
    error: str
    """Why the test failed. Empty if it was delivered."""


class SetWebhookResult(TypedDict):
    id: str
    """Session ID."""
    webhook: SessionWebhook
    """Both empty while the webhook is off."""


class GetWebhookResult(TypedDict):
    id: str
    """Session ID."""
    webhook: SessionWebhook
    """Both empty while the webhook is off."""
    events: List[Literal['message', 'message.edited', 'message.deleted', 'message.read', 'message.reaction', 'message.pinned', 'message.vote', 'message.button', 'chat.joined', 'chat.left', 'chat.member', 'chat.read', 'story', 'session.qr', 'session.password', 'session.code', 'session.connected', 'session.disconnected', 'session.login-lost', 'session.reset']]
    """Empty while the webhook is off."""
    chats: Union[Literal['private', 'groups', 'channels', 'all'], List[str]]
    """A word for kinds of chats, or the IDs of chats."""
    pending: int
    """Events that have not been delivered yet."""
    lastDelivered: str
    """When an event was delivered last. ISO 8601, or empty."""
    lastError: str
    """Why the last failed attempt failed. Empty if none has failed."""
    lastFailed: str
    """When it failed. ISO 8601, or empty."""
    nextAttempt: str
    """When the next attempt of a failed delivery is due. Empty if none is waiting. ISO 8601, or empty."""
    parked: int
    """Events that were given up after 24 hours."""


class ListParkedResult(TypedDict):
    docs: List[ListParkedOfResultDocsItem]
    after: int
    """The `after` of the next page."""


class ListDeliveriesResult(TypedDict):
    docs: List[ListDeliveriesOfResultDocsItem]
    after: str
    """The `after` of the next page; empty at the end. A page may end before its limit."""


class ReplayWebhookResult(TypedDict):
    id: str
    """Session ID; of an operators’ webhook, its own."""
    pending: int
    """Events that are to be delivered."""


class TestWebhookResult(TypedDict):
    id: str
    """ID of the test event."""
    delivered: bool
    status: int
    """Status of the response; 0 without a response."""
    error: str
    """Why the test failed. Empty if it was delivered."""


class ListEventsResult(TypedDict):
    docs: List[AuditEntry]
    after: int
    """The `after` of the next page."""


class ListSendsResult(TypedDict):
    docs: List[SendEntry]
    after: int
    """The `after` of the next page."""


class SendMessageResult(TypedDict, total=False):
    messageId: str
    """ID in the receiving chat; of an album the first one."""
    messageIds: List[str]
    """Of an album: of all its messages."""
    scheduledId: str
    """Instead of `messageId`, with `sendAt`: ID in the queue of the chat; of an album the first one."""
    scheduledIds: List[str]
    """Of an album that is sent later."""


class Reference________(TypedDict):
    id: str
    """Session ID."""


class Reference_________(TypedDict):
    id: str
    """Session ID."""


class ForwardMessagesResult(TypedDict):
    messageIds: List[str]
    """IDs in the receiving chat, in the order of the messages."""


class PressButtonResult(TypedDict):
    text: str
    """What the bot says; empty if it says nothing."""
    url: str
    """What the bot, or the button, wants to be opened; empty if nothing."""
    alert: bool
    """The text is shown until it is confirmed."""


class Reference__________(TypedDict):
    id: str
    """Session ID."""


class Reference___________(TypedDict):
    id: str
    """Session ID."""


class Reference____________(TypedDict):
    id: str
    """Session ID."""


class Reference_____________(TypedDict):
    id: str
    """Session ID."""


class ListScheduledMessagesResult(TypedDict):
    docs: List[ListScheduledMessagesResultDocsItem]


class _ListScheduledMessagesResultDocsItemRequired(TypedDict):
    id: str
    """Message ID."""
    chatId: str
    """The chat."""
    fromMe: bool
    """The account wrote it, here or elsewhere."""
    user: MessageUser
    """The other side of a private chat, whichever side wrote; else who wrote."""
    type: Literal['text', 'image', 'video', 'sticker', 'audio', 'voice', 'document', 'poll', 'location', 'contact']
    text: str
    """Message text, or the caption of media."""
    entities: List[MessageEntitiesItem]
    """Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out."""
    replyTo: str
    """ID of the message that it replies to; empty if none."""
    created: str
    """When it was sent. ISO 8601."""
    topic: str
    """The forum's topic; empty outside of forums."""
    reactions: List[MessageReactionsItem]
    buttons: List[List[MessageButtonsItemItem]]
    """Rows of inline buttons."""
    edited: str
    """When it was edited. ISO 8601, or empty."""
    sendAt: str
    """When Telegram sends it. Empty: when the other side is online. ISO 8601, or empty."""


class ListScheduledMessagesResultDocsItem(_ListScheduledMessagesResultDocsItemRequired, total=False):
    image: MessageImage
    video: MessageVideo
    sticker: MessageSticker
    audio: MessageAudio
    voice: MessageVoice
    document: MessageDocument
    polling: MessagePolling
    poll: MessagePoll
    location: MessageLocation
    contact: MessageContact


class Reference______________(TypedDict):
    id: str
    """Session ID."""


class Reference_______________(TypedDict):
    id: str
    """Session ID."""


class PostStatusResult(TypedDict):
    statusId: str
    created: str
    """When it was posted. ISO 8601."""
    expires: str
    """Until when it is shown. ISO 8601."""


class ListChatsResult(TypedDict):
    docs: List[Chat]
    after: str
    """The `after` of the next page; empty at the end."""


class ListMessagesResult(TypedDict):
    docs: List[Message]
    before: str
    """The `before` of the next page; empty at the end."""


class SearchMessagesResult(TypedDict):
    docs: List[Message]
    before: str
    """The `before` of the next page; empty at the end."""


class ListTopicsResult(TypedDict):
    docs: List[ListTopicsResultDocsItem]
    after: str
    """The `after` of the next page; empty at the end."""


class ListTopicsResultDocsItem(TypedDict):
    id: str
    """Topic ID: that of its first message; 1 is General."""
    name: str
    unread: int
    """Messages that were not read yet."""
    pinned: bool
    closed: bool
    """Only administrators write in it."""
    last: Union[Message, None]
    """The newest message; null if there is none, or it only says what happened in the topic."""


class Reference________________(TypedDict):
    id: str
    """Session ID."""


class Reference_________________(TypedDict):
    id: str
    """Session ID."""


class Reference__________________(TypedDict):
    id: str
    """Session ID."""


class Reference___________________(TypedDict):
    id: str
    """Session ID."""


class ListGroupsResult(TypedDict):
    docs: List[Group]


class CreateGroupResult(TypedDict):
    groupId: str
    """Of the new chat."""
    missing: List[str]
    """User IDs of those whom their own settings keep out."""


class ListMembersResult(TypedDict):
    docs: List[GroupMember]


class Reference____________________(TypedDict):
    id: str
    """Session ID."""


class ChangeGroupPicture(TypedDict, total=False):
    """Exactly one of url, data, file."""
    url: str
    """An http or https URL."""
    data: str
    """Base64 of at most 10485760 bytes."""
    file: str


class ChangeGroupPermissions(TypedDict, total=False):
    messages: bool
    media: bool
    stickers: bool
    polls: bool
    links: bool
    invite: bool
    pin: bool
    info: bool


class ListChannelsResult(TypedDict):
    docs: List[Channel]


class CreateChannelResult(TypedDict):
    channelId: str
    """Of the new chat."""
    missing: List[str]
    """User IDs of those whom their own settings keep out."""


class ListChannelMessagesResult(TypedDict):
    docs: List[ChannelMessage]
    before: int
    """The `before` of the next page; 0 when there is none."""


class Reference_____________________(TypedDict):
    id: str
    """Session ID."""


class AddGroupMembersResult(TypedDict):
    missing: List[str]
    """User IDs of those whom their own settings keep out."""


class Reference______________________(TypedDict):
    id: str
    """Session ID."""


class Reference_______________________(TypedDict):
    id: str
    """Session ID."""


class ListGroupInvitesResult(TypedDict):
    docs: List[Invite]


class JoinGroupResult(TypedDict):
    groupId: str
    """Empty until an administrator lets the account in."""


class Reference________________________(TypedDict):
    id: str
    """Session ID."""


class AddChannelMembersResult(TypedDict):
    missing: List[str]
    """User IDs of those whom their own settings keep out."""


class Reference_________________________(TypedDict):
    id: str
    """Session ID."""


class Reference__________________________(TypedDict):
    id: str
    """Session ID."""


class ListChannelInvitesResult(TypedDict):
    docs: List[Invite]


class JoinChannelResult(TypedDict):
    channelId: str
    """Empty until an administrator lets the account in."""


class Reference___________________________(TypedDict):
    id: str
    """Session ID."""


class ListContactsResult(TypedDict):
    docs: List[User]


class _CheckPhoneResultRequired(TypedDict):
    exists: bool
    """Somebody has this number on Telegram, and lets it be seen."""


class CheckPhoneResult(_CheckPhoneResultRequired, total=False):
    user: User


class Reference____________________________(TypedDict):
    id: str
    """Session ID."""


class Reference_____________________________(TypedDict):
    id: str
    """Session ID."""


class Reference______________________________(TypedDict):
    id: str
    """Session ID."""


class ListDevicesResult(TypedDict):
    docs: List[Device]


class Reference_______________________________(TypedDict):
    id: str
    """Session ID."""


class UploadFileResult(TypedDict):
    id: str
    """What `file` of a media object takes."""
    size: int
    """Bytes."""
    name: str
    mimetype: str
    expires: str
    """Until when it can be sent. ISO 8601."""


AlbumItem = Union['ImageAlbumItem', 'VideoAlbumItem', 'AudioAlbumItem', 'DocumentAlbumItem']

OutgoingMessage = Union['TextOutgoingMessage', 'ImageOutgoingMessage', 'VideoOutgoingMessage', 'AudioOutgoingMessage', 'DocumentOutgoingMessage', 'LocationOutgoingMessage', 'ContactOutgoingMessage', 'VoiceOutgoingMessage', 'VideoNoteOutgoingMessage', 'AnimationOutgoingMessage', 'StickerOutgoingMessage', 'PollOutgoingMessage', 'AlbumOutgoingMessage']

Story = Union['ImageStory', 'VideoStory']
