# Written by `python3 -m generator` from docs/webhooks/*.json: change that, not this.
# mypy: disable-error-code=misc
"""The events of webhooks and readers. `event["type"]` tells which one it is."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class ChatJoinedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['chat.joined']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: ChatJoinedEventData


class _ChatJoinedEventSessionRequired(TypedDict):
    id: str
    """Main ID of the session."""
    generatedId: str
    """User ID of the account in which it happened."""


class ChatJoinedEventSession(_ChatJoinedEventSessionRequired, total=False):
    externalId: str
    """The caller's own ID of the session. Left out if it has none."""


class ChatJoinedEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    kind: Literal['user', 'bot', 'group', 'channel']
    name: str
    """Of the group or channel."""
    by: ChatJoinedEventDataBy
    """Who did it. All empty if Telegram does not say."""


class ChatJoinedEventDataBy(TypedDict):
    """Who did it. All empty if Telegram does not say."""
    id: str
    name: str
    username: str
    """Without @. Empty if none."""
    phone: str
    """Empty unless shared with the account."""
    picture: str
    """Media link: the small profile photo, until there is another one; empty if none."""


class ChatLeftEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['chat.left']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: ChatJoinedEventData


class ChatMemberEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['chat.member']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: ChatMemberEventData


class ChatMemberEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    user: ChatMemberEventDataUser
    """The member. All empty if Telegram does not say."""
    action: Literal['joined', 'added', 'left', 'removed', 'promoted', 'demoted', 'restricted', 'unrestricted']
    by: ChatJoinedEventDataBy
    """Who did it. All empty if Telegram does not say."""


class ChatMemberEventDataUser(TypedDict):
    """The member. All empty if Telegram does not say."""
    id: str
    name: str
    username: str
    """Without @. Empty if none."""
    phone: str
    """Empty unless shared with the account."""
    picture: str
    """Media link: the small profile photo, until there is another one; empty if none."""


class ChatReadEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['chat.read']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: ChatReadEventData


class ChatReadEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    upTo: str
    """Every message up to this ID has been read."""
    fromMe: bool
    """True when the account's owner read, on another device; else someone read the account's messages."""


class ChatTypingEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    type: Literal['chat.typing']
    data: ChatTypingEventData


class ChatTypingEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    user: ChatMemberEventDataUser
    """The other side of a private chat, whichever side wrote; in other chats who wrote."""
    action: str
    """What they do, as Telegram names it: `typing`, `recordAudio`; `cancel`: no longer."""


class MessageButtonEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.button']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageButtonEventData


class MessageButtonEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    messageId: str
    """Message ID."""
    user: ChatMemberEventDataUser
    """Who pressed it. All empty if Telegram does not say."""
    data: str
    """Of the button, base64."""
    queryId: str
    """What the answer to it names."""


class MessageDeletedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.deleted']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageDeletedEventData


class MessageDeletedEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    messageIds: List[str]
    user: ChatMemberEventDataUser
    """The other side of a private chat. All empty if Telegram does not say."""


class MessageEditedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.edited']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageEditedEventData


class _MessageEditedEventDataRequired(TypedDict):
    id: str
    """Message ID."""
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    fromMe: bool
    """True when the account's owner wrote it, on another device."""
    user: ChatMemberEventDataUser
    """The other side of a private chat, whichever side wrote; in other chats who wrote."""
    type: Literal['text', 'image', 'video', 'sticker', 'audio', 'voice', 'document', 'poll', 'location', 'contact']
    text: str
    """Message text, or the caption of media."""
    entities: List[MessageEditedEventDataEntitiesItem]
    """Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out."""
    replyTo: str
    """ID of the message that it replies to; empty if none."""
    created: str
    """When the message was sent. ISO 8601."""
    edited: str
    """When it was edited. ISO 8601."""


class MessageEditedEventData(_MessageEditedEventDataRequired, total=False):
    image: MessageEditedEventDataImage
    video: MessageEditedEventDataVideo
    sticker: MessageEditedEventDataSticker
    audio: MessageEditedEventDataAudio
    voice: MessageEditedEventDataVoice
    document: MessageEditedEventDataDocument
    polling: MessageEditedEventDataPolling
    poll: MessageEditedEventDataPoll
    location: MessageEditedEventDataLocation
    contact: MessageEditedEventDataContact
    topic: str
    """Of a forum: ID of the topic, that of its first message. 1 is General."""


class _MessageEditedEventDataEntitiesItemRequired(TypedDict):
    type: Literal['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'code', 'pre', 'blockquote', 'expandable_blockquote', 'text_link', 'text_mention', 'custom_emoji']
    offset: int
    """In UTF-16 code units, as `length`."""
    length: int


class MessageEditedEventDataEntitiesItem(_MessageEditedEventDataEntitiesItemRequired, total=False):
    url: str
    """Of a `text_link`."""
    userId: str
    """Of a `text_mention`."""
    language: str
    """Of a `pre`; empty if it names none."""
    customEmojiId: str
    """Of a `custom_emoji`."""


class MessageEditedEventDataImage(TypedDict):
    url: str
    """Media link: the largest size."""
    thumbnail: str
    """Media link: about 800 pixels; empty when none is kept."""
    mimetype: str


class MessageEditedEventDataVideo(TypedDict):
    url: str
    """Media link: the video."""
    thumbnail: str
    """Media link: 320 pixels; empty when none is kept."""
    duration: float
    """Seconds."""
    mimetype: str


class MessageEditedEventDataSticker(TypedDict):
    url: str
    """Media link: the sticker."""
    mimetype: str


class MessageEditedEventDataAudio(TypedDict):
    url: str
    """Media link: the music."""
    name: str
    duration: float
    """Seconds."""
    size: float
    """Bytes."""
    mimetype: str


class MessageEditedEventDataVoice(TypedDict):
    url: str
    """Media link: the voice note."""
    duration: float
    """Seconds."""
    size: float
    """Bytes."""
    mimetype: str


class MessageEditedEventDataDocument(TypedDict):
    url: str
    """Media link: the file."""
    name: str
    size: float
    """Bytes."""
    mimetype: str


class MessageEditedEventDataPolling(TypedDict):
    name: str
    """The question."""
    options: List[str]


class MessageEditedEventDataPoll(TypedDict):
    id: str
    """Poll ID."""
    question: str
    options: List[MessageEditedEventDataPollOptionsItem]
    total: int
    """How many have voted."""
    multiple: bool
    """A voter may choose several options."""
    quiz: bool
    closed: bool
    explanation: str
    """Of a quiz, as soon as Telegram tells it; else empty."""


class MessageEditedEventDataPollOptionsItem(TypedDict):
    text: str
    votes: Union[int, None]
    """null: Telegram does not tell before the account has voted, or the poll is closed."""
    chosen: bool
    """The account voted for it."""
    correct: bool
    """The right answer of a quiz, as soon as Telegram tells it."""


class MessageEditedEventDataLocation(TypedDict):
    latitude: float
    longitude: float
    name: str
    """Of a venue; empty for a plain pin."""
    address: str
    """Of a venue; empty for a plain pin."""


class MessageEditedEventDataContact(TypedDict):
    name: str
    phone: str
    userId: str
    """Empty if they are not on Telegram."""


class MessageEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageEventData


class _MessageEventDataRequired(TypedDict):
    id: str
    """Message ID."""
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    fromMe: bool
    """True when the account's owner wrote it, on another device."""
    user: ChatMemberEventDataUser
    """The other side of a private chat, whichever side wrote; in other chats who wrote."""
    type: Literal['text', 'image', 'video', 'sticker', 'audio', 'voice', 'document', 'poll', 'location', 'contact']
    text: str
    """Message text, or the caption of media."""
    entities: List[MessageEditedEventDataEntitiesItem]
    """Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out."""
    replyTo: str
    """ID of the message that it replies to; empty if none."""
    created: str
    """When the message was sent. ISO 8601."""


class MessageEventData(_MessageEventDataRequired, total=False):
    image: MessageEditedEventDataImage
    video: MessageEditedEventDataVideo
    sticker: MessageEditedEventDataSticker
    audio: MessageEditedEventDataAudio
    voice: MessageEditedEventDataVoice
    document: MessageEditedEventDataDocument
    polling: MessageEditedEventDataPolling
    poll: MessageEditedEventDataPoll
    location: MessageEditedEventDataLocation
    contact: MessageEditedEventDataContact
    topic: str
    """Of a forum: ID of the topic, that of its first message. 1 is General."""


class MessagePinnedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.pinned']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessagePinnedEventData


class MessagePinnedEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    messageIds: List[str]
    pinned: bool
    """False when they were unpinned."""


class MessageReactionEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.reaction']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageReactionEventData


class MessageReactionEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    messageId: str
    """Message ID."""
    counts: Dict[str, Any]
    """Reactions as they are now, by emoji; custom ones under an empty text. A bot is told them or `user`."""
    user: ChatMemberEventDataUser
    """Who has changed their reactions. All empty if Telegram does not say."""
    emojis: List[str]
    """Their reactions as they are now."""


class MessageReadEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.read']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageReadEventData


class MessageReadEventData(TypedDict):
    chatId: str
    """ID of the chat, as `user`, `group` or `channel` takes it."""
    upTo: str
    """Every message up to this ID has been read."""
    fromMe: bool
    """True when the account's owner read, on another device; else the other side."""
    user: ChatMemberEventDataUser
    """The other side of a private chat, whichever side wrote; in other chats who wrote."""


class MessageVoteEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['message.vote']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: MessageVoteEventData


class MessageVoteEventData(TypedDict):
    pollId: str
    """ID of the poll."""
    results: List[MessageVoteEventDataResultsItem]
    """Votes as they are now. Empty for a bot that is told a vote."""
    user: ChatMemberEventDataUser
    """Who has voted, for a bot. All empty if Telegram does not say."""
    options: List[str]
    """What they have chosen, for a bot. Telegram's bytes for the option, base64."""


class MessageVoteEventDataResultsItem(TypedDict):
    text: str
    """The option; empty if Telegram does not say."""
    option: str
    """Telegram's bytes for the option, base64."""
    voters: int


class SessionCodeEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.code']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class SessionCodeEventData(TypedDict):
    state: Literal['qrPending', 'codeRequired', 'passwordRequired', 'connected', 'disconnected', 'deleted']
    """Of the session, as in `GET /session/events`."""
    reason: str
    """Why it is in this state."""
    deadline: str
    """When the state ends by itself, ISO 8601; empty if it does not."""


class SessionConnectedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.connected']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class SessionDeletedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.deleted']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionDeletedEventData


class SessionDeletedEventData(TypedDict):
    reason: str
    """Why it is in this state."""


class SessionDisconnectedEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.disconnected']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class SessionLoginLostEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.login-lost']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class SessionPasswordEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.password']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class SessionQrEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.qr']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class SessionResetEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['session.reset']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: SessionCodeEventData


class StoryEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['story']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: StoryEventData


class _StoryEventDataRequired(TypedDict):
    user: ChatMemberEventDataUser
    """Whose story it is."""
    storyId: str
    """ID of the story."""
    type: Literal['image', 'video', 'text']
    """`text` if it shows neither an image nor a video."""
    text: str
    """The caption."""
    entities: List[MessageEditedEventDataEntitiesItem]
    """Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out."""
    expires: str
    """When it ends, unless its owner keeps it. ISO 8601."""


class StoryEventData(_StoryEventDataRequired, total=False):
    image: MessageEditedEventDataImage
    video: MessageEditedEventDataVideo


class TestEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    seq: int
    """Number of the session's event, from 1 and without a gap; 0 of a test."""
    previous: int
    """The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing."""
    type: Literal['test']
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    data: Dict[str, Any]


class UserStatusEvent(TypedDict):
    id: str
    """Of the event: the same whenever it is sent again, and in the header `webhook-id`."""
    created: str
    """When it was recorded. ISO 8601."""
    session: ChatJoinedEventSession
    type: Literal['user.status']
    data: UserStatusEventData


class UserStatusEventData(TypedDict):
    user: ChatMemberEventDataUser
    """The other side of a private chat, whichever side wrote; in other chats who wrote."""
    online: bool
    lastSeen: str
    """When they were online last, ISO 8601; empty if Telegram does not say."""


Event = Union['ChatJoinedEvent', 'ChatLeftEvent', 'ChatMemberEvent', 'ChatReadEvent', 'ChatTypingEvent', 'MessageButtonEvent', 'MessageDeletedEvent', 'MessageEditedEvent', 'MessageEvent', 'MessagePinnedEvent', 'MessageReactionEvent', 'MessageReadEvent', 'MessageVoteEvent', 'SessionCodeEvent', 'SessionConnectedEvent', 'SessionDeletedEvent', 'SessionDisconnectedEvent', 'SessionLoginLostEvent', 'SessionPasswordEvent', 'SessionQrEvent', 'SessionResetEvent', 'StoryEvent', 'TestEvent', 'UserStatusEvent']

EventType = Literal['chat.joined', 'chat.left', 'chat.member', 'chat.read', 'chat.typing', 'message.button', 'message.deleted', 'message.edited', 'message', 'message.pinned', 'message.reaction', 'message.read', 'message.vote', 'session.code', 'session.connected', 'session.deleted', 'session.disconnected', 'session.login-lost', 'session.password', 'session.qr', 'session.reset', 'story', 'test', 'user.status']

Chats = Union[Literal['private', 'groups', 'channels', 'all'], List[str]]
