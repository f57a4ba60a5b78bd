import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { chatMessage } from '../../../../../src/telegram/gramjs/chats/chat-message.ts';
import { joinedChat } from '../../../../../src/telegram/gramjs/chats/joined-chat.ts';

const long = (value: number): bigInt.BigInteger => bigInt(value);
const channel = new Api.PeerChannel({ channelId: long(4001) });
const user = (id: number): Api.PeerUser => new Api.PeerUser({ userId: long(id) });
type Fields = ConstructorParameters<typeof Api.Message>[0];
const read = (fields: Partial<Fields>): object =>
  chatMessage(new Api.Message({ id: 17, peerId: channel, date: 1_770_000_000, message: '', ...fields }));
const mediaOf = (media: Api.TypeMessageMedia): unknown => (read({ media }) as { media?: unknown }).media;

const picture = new Api.PhotoSize({ type: 'm', w: 320, h: 180, size: 9 });
const blur = new Api.PhotoStrippedSize({ type: 'i', bytes: Buffer.alloc(3) });
const named = new Api.DocumentAttributeFilename({ fileName: 'a.bin' });
const moving = new Api.DocumentAttributeVideo({ duration: 2.5, w: 1, h: 1 });
const sticking = new Api.DocumentAttributeSticker({ alt: '', stickerset: new Api.InputStickerSetEmpty() });
const document = (
  mimeType: string,
  attributes: Api.TypeDocumentAttribute[],
  thumbs?: Api.TypePhotoSize[],
): Api.MessageMediaDocument =>
  new Api.MessageMediaDocument({
    document: new Api.Document({
      id: long(1),
      accessHash: long(2),
      fileReference: Buffer.alloc(0),
      date: 1,
      mimeType,
      size: bigInt(3_000_000_000),
      ...(thumbs && { thumbs }),
      dcId: 2,
      attributes,
    }),
  });
const photo = (sizes: Api.TypePhotoSize[]): Api.MessageMediaPhoto =>
  new Api.MessageMediaPhoto({
    photo: new Api.Photo({ id: long(1), accessHash: long(2), fileReference: Buffer.alloc(0), date: 1, sizes, dcId: 2 }),
  });
const rich = (text: string): Api.TextWithEntities => new Api.TextWithEntities({ text, entities: [] });
const geo = new Api.GeoPoint({ lat: 52.5, long: 13.25, accessHash: long(1) });
const size = 3_000_000_000;

describe('what a message carries', () => {
  it.each<[string, Api.TypeMessageMedia, object | undefined]>([
    ['nothing', new Api.MessageMediaEmpty(), undefined],
    ['a web page', new Api.MessageMediaWebPage({ webpage: new Api.WebPageEmpty({ id: long(1) }) }), undefined],
    ['a photo', photo([blur, picture]), { kind: 'photo', mimetype: 'image/jpeg', hasThumbnail: true }],
    ['a photo that was to be seen once', new Api.MessageMediaPhoto({ ttlSeconds: 3 }), { kind: 'unsupported' }],
    ['a file that was to be seen once', new Api.MessageMediaDocument({ ttlSeconds: 3 }), { kind: 'unsupported' }],
    [
      'a video',
      document('video/mp4', [moving, named], [picture]),
      { kind: 'video', mimetype: 'video/mp4', duration: 2.5, hasThumbnail: true, name: 'a.bin', size },
    ],
    [
      'a video of which nothing but a blur is kept',
      document('video/mp4', [moving], [blur]),
      { kind: 'video', mimetype: 'video/mp4', duration: 2.5, hasThumbnail: false, name: '', size },
    ],
    [
      'a GIF as such',
      document('image/gif', [new Api.DocumentAttributeAnimated()]),
      { kind: 'video', mimetype: 'image/gif', duration: 0, hasThumbnail: false, name: '', size },
    ],
    [
      'a sticker',
      document('image/webp', [sticking], [picture]),
      { kind: 'sticker', mimetype: 'image/webp', isAnimated: false, hasThumbnail: true, name: '', size },
    ],
    [
      'an animated sticker',
      document('application/x-tgsticker', [sticking], [picture]),
      { kind: 'sticker', mimetype: 'application/x-tgsticker', isAnimated: true, hasThumbnail: true, name: '', size },
    ],
    [
      'a video sticker',
      document('video/webm', [moving, sticking]),
      { kind: 'sticker', mimetype: 'video/webm', isAnimated: true, hasThumbnail: false, name: '', size },
    ],
    [
      'a voice note',
      document('audio/ogg', [new Api.DocumentAttributeAudio({ voice: true, duration: 4 })]),
      { kind: 'voice', mimetype: 'audio/ogg', duration: 4, name: '', size },
    ],
    [
      'music',
      document('audio/mpeg', [new Api.DocumentAttributeAudio({ duration: 4 }), named]),
      { kind: 'audio', mimetype: 'audio/mpeg', duration: 4, name: 'a.bin', size },
    ],
    [
      'a picture sent as a file',
      document('image/png', [new Api.DocumentAttributeImageSize({ w: 1, h: 1 }), named], [picture]),
      { kind: 'document', mimetype: 'image/png', name: 'a.bin', size },
    ],
    [
      'a poll',
      new Api.MessageMediaPoll({
        poll: new Api.Poll({
          id: long(1),
          question: rich('Shall we?'),
          answers: [1, 2].map(
            (option) => new Api.PollAnswer({ text: rich(`No. ${option}`), option: Buffer.of(option) }),
          ),
        }),
        results: new Api.PollResults({
          totalVoters: 4,
          results: [new Api.PollAnswerVoters({ option: Buffer.of(2), voters: 3, chosen: true })],
        }),
      }),
      {
        kind: 'poll',
        question: 'Shall we?',
        options: ['No. 1', 'No. 2'],
        state: {
          id: '1',
          isMultiple: false,
          isQuiz: false,
          isClosed: false,
          total: 4,
          explanation: '',
          options: [
            { isChosen: false, isCorrect: false },
            { votes: 3, isChosen: true, isCorrect: false },
          ],
        },
      },
    ],
    ['a place', new Api.MessageMediaGeo({ geo }), { kind: 'location', latitude: 52.5, longitude: 13.25 }],
    [
      'a place that moves',
      new Api.MessageMediaGeoLive({ geo, period: 60 }),
      { kind: 'location', latitude: 52.5, longitude: 13.25 },
    ],
    ['nowhere', new Api.MessageMediaGeo({ geo: new Api.GeoPointEmpty() }), { kind: 'unsupported' }],
    [
      'a venue',
      new Api.MessageMediaVenue({ geo, title: 'Here', address: 'There', provider: '', venueId: '', venueType: '' }),
      { kind: 'venue', latitude: 52.5, longitude: 13.25, title: 'Here', address: 'There' },
    ],
    [
      'a contact',
      new Api.MessageMediaContact({
        phoneNumber: '1555',
        firstName: 'Bob',
        lastName: 'Stone',
        vcard: '',
        userId: long(1002),
      }),
      { kind: 'contact', phone: '1555', name: 'Bob Stone', userId: '1002' },
    ],
    [
      'a contact who is nobody here',
      new Api.MessageMediaContact({ phoneNumber: '1555', firstName: '', lastName: '', vcard: '', userId: long(0) }),
      { kind: 'contact', phone: '1555', name: '', userId: '' },
    ],
    ['dice', new Api.MessageMediaDice({ value: 3, emoticon: '🎲' }), { kind: 'unsupported' }],
    ['what this version does not know', new Api.MessageMediaUnsupported(), { kind: 'unsupported' }],
  ])('[CH3.1] %s', (_name, media, expected) => {
    expect(mediaOf(media)).toEqual(expected);
  });
});

describe('a message', () => {
  it.each<[string, Partial<Fields>, object]>([
    ['of a channel', { message: 'Hi' }, { id: 17, chatId: '-1004001', fromMe: false, text: 'Hi' }],
    ['of a group', { fromId: user(1002), out: false }, { senderId: '1002', fromMe: false }],
    ['that the other one wrote', { peerId: user(1002) }, { chatId: '1002', senderId: '1002', fromMe: false }],
    ['of one’s own', { peerId: user(1002), fromId: user(1001), out: true }, { senderId: '1001', fromMe: true }],
    ['edited', { editDate: 1_770_000_060 }, { edited: 1_770_000_060_000 }],
    ['that answers', { replyTo: new Api.MessageReplyHeader({ replyToMsgId: 5 }) }, { replyTo: 5 }],
    [
      'that answers in a topic',
      { replyTo: new Api.MessageReplyHeader({ forumTopic: true, replyToMsgId: 5, replyToTopId: 2 }) },
      { replyTo: 5 },
    ],
  ])('[WH3.1] %s', (_name, fields, expected) => {
    expect(read(fields)).toMatchObject({ created: 1_770_000_000_000, ...expected });
  });

  it.each<[string, Partial<Fields>, string]>([
    ['only reactions changed', { editDate: 1_770_000_060, editHide: true }, 'edited'],
    [
      'that stands in a topic',
      { replyTo: new Api.MessageReplyHeader({ forumTopic: true, replyToMsgId: 5 }) },
      'replyTo',
    ],
    [
      'that answers one of another chat',
      { replyTo: new Api.MessageReplyHeader({ replyToMsgId: 5, replyToPeerId: channel }) },
      'replyTo',
    ],
    ['that answers a story', { replyTo: new Api.MessageReplyStoryHeader({ peer: channel, storyId: 5 }) }, 'replyTo'],
    ['of a channel', {}, 'senderId'],
  ])('[WH3.3] %s: no %s', (_name, fields, field) => {
    expect(read(fields)).not.toHaveProperty(field);
  });
});

describe('a chat', () => {
  const photoless = new Api.ChatPhotoEmpty();
  const group = {
    id: long(2001),
    title: 'Family',
    photo: photoless,
    participantsCount: 3,
    date: 1_770_000_000,
    version: 1,
  };
  const broadcast = { id: long(4001), accessHash: long(7), title: 'Daily', photo: photoless, date: 1_770_000_000 };
  const rights = new Api.ChatAdminRights({});

  it.each<[string, Api.TypeChat, object | undefined]>([
    [
      'a basic group',
      new Api.Chat(group),
      { kind: 'group', id: '-2001', name: 'Family', username: '', joined: 1_770_000_000_000, isAdmin: false },
    ],
    ['one that the account made', new Api.Chat({ ...group, creator: true }), { isAdmin: true }],
    ['one that was migrated', new Api.Chat({ ...group, deactivated: true }), undefined],
    ['one that was left', new Api.Chat({ ...group, left: true }), undefined],
    ['one that the account was put out of', new Api.ChatForbidden({ id: long(2001), title: 'Family' }), undefined],
    ['a supergroup', new Api.Channel({ ...broadcast, megagroup: true }), { kind: 'group', id: '-1004001' }],
    ['a gigagroup', new Api.Channel({ ...broadcast, megagroup: true, gigagroup: true }), { kind: 'group' }],
    [
      'a channel',
      new Api.Channel({ ...broadcast, broadcast: true, username: 'daily' }),
      { kind: 'channel', username: 'daily' },
    ],
    ['its administrator', new Api.Channel({ ...broadcast, broadcast: true, adminRights: rights }), { isAdmin: true }],
    [
      'one with several usernames',
      new Api.Channel({
        ...broadcast,
        usernames: [new Api.Username({ username: 'old' }), new Api.Username({ username: 'new', active: true })],
      }),
      { username: 'new' },
    ],
    [
      'one with a photo',
      new Api.Channel({ ...broadcast, photo: new Api.ChatPhoto({ photoId: bigInt('5123456789012345678'), dcId: 4 }) }),
      { photo: { id: '5123456789012345678', dc: 4 } },
    ],
    ['one that was left', new Api.Channel({ ...broadcast, left: true }), undefined],
    ['one of which too little is seen', new Api.Channel({ ...broadcast, min: true }), undefined],
    [
      'a private one that the account was put out of',
      new Api.ChannelForbidden({ id: long(4001), accessHash: long(7), title: 'Daily' }),
      undefined,
    ],
  ])('[GR1.1] %s', (_name, entity, expected) => {
    const chat = joinedChat(entity);
    if (expected === undefined) expect(chat).toBeUndefined();
    else expect(chat).toMatchObject(expected);
  });
});
