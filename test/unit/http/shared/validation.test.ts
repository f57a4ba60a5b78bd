import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { MessageBody } from '../../../../src/http/message/schemas.ts';
import { PasswordBody, SettingsBody } from '../../../../src/http/session/schemas.ts';
import { WebhookBody } from '../../../../src/http/session/session-webhook.ts';
import { filledText } from '../../../../src/http/shared/fields.ts';
import { IdempotencyHeaders } from '../../../../src/http/shared/idempotent-send.ts';
import { keywords } from '../../../../src/http/shared/keywords.ts';
import { failuresOf, validatorCompiler } from '../../../../src/http/shared/validation.ts';
import { StatusBody } from '../../../../src/http/status/schemas.ts';
import { chatsField } from '../../../../src/http/webhook/event-filter-fields.ts';

const text = { user: '1001', type: 'text', text: 'hi' };
const both = 'must be both filled, or both empty to turn the webhook off';

const wrongType =
  'type must be one of the following values: text, image, video, audio, document, location, contact, voice, videoNote, animation, sticker, poll, album';

describe('POST /message', () => {
  it.each<[object, string[]]>([
    [text, []],
    [{ ...text, parseMode: 'markdown' }, []],
    [{ ...text, parseMode: 'html', replyTo: '12', silent: true }, []],
    [{ ...text, parseMode: '', replyTo: '', extra: { any: 'thing' } }, []],
    [{ type: 'text', text: 'hi' }, []], // the receiver is checked after the connection (AU2)
    [{}, ['type should not be empty']],
    [{ ...text, type: '' }, ['type should not be empty']],
    [{ ...text, type: 'poem' }, [wrongType]],
    [{ ...text, type: 5 }, [wrongType]],
    [{ ...text, text: '' }, ['text should not be empty']],
    [{ ...text, text: ' \n\t ' }, ['text should not be empty']],
    [{ type: 'image', image, text: ' ' }, []],
    [{ user: '1', type: 'text' }, ['text should not be empty']],
    [{ ...text, text: 5 }, ['text must be a string']],
    [{ ...text, text: ['hi'] }, ['text must be a string']],
    [{ ...text, parseMode: 'bbcode' }, ['parseMode must be one of the following values: markdown, html']],
    [{ ...text, parseMode: true }, ['parseMode must be one of the following values: markdown, html']],
    [{ ...text, replyTo: 'first' }, ['replyTo must be a message ID']],
    [{ ...text, replyTo: 12 }, ['replyTo must be a string']],
    [{ ...text, silent: 'yes' }, ['silent must be a boolean']],
    [{ ...text, user: 1001 }, ['user must be a string']],
    [
      { silent: 1, parseMode: 'x', type: 'text', phone: 1, username: 2, user: 3, channel: 4, group: 5 },
      [
        'group must be a string',
        'channel must be a string',
        'user must be a string',
        'username must be a string',
        'phone must be a string',
        'text should not be empty',
        'parseMode must be one of the following values: markdown, html',
        'silent must be a boolean',
      ],
    ],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(MessageBody, body, 'body')).toEqual(lines);
  });
});

const url = 'https://files.example/a';
const long = (length: number): string => url.padEnd(length, 'a');
const image = { url, mimetype: 'image/png' };
const video = { url, mimetype: 'video/mp4', duration: 1.5 };
const audio = { url, mimetype: 'audio/mpeg', duration: 60 };
const document = { url, name: 'a.pdf', size: 12, mimetype: 'application/pdf' };
const location = { latitude: 52.5, longitude: -13.4 };
const contact = { name: 'Ann Lee', phone: '+1 555 000 0001' };
const media = { image, video, audio, document, location, contact };

describe('POST /message with media', () => {
  it.each(Object.entries(media))('[ER2.4] %s is taken as the interface has it', (type, fields) => {
    expect(failuresOf(MessageBody, { user: '1', type, [type]: fields }, 'body')).toEqual([]);
  });

  it.each(Object.keys(media))('[ER2.4] %s missing, empty, no object', (type) => {
    for (const empty of [undefined, null, '']) {
      const lines = failuresOf(MessageBody, { user: '1', type, [type]: empty }, 'body');
      expect(lines).toEqual([`${type} should not be empty`]);
    }
    for (const wrong of ['https://files.example/a', 5, [], [{}], true]) {
      const lines = failuresOf(MessageBody, { user: '1', type, [type]: wrong }, 'body');
      expect(lines).toEqual([`${type} must be an object`]);
    }
  });

  it.each(Object.keys(media))('[ER2.4] the objects of other types are ignored: %s', (type) => {
    const wrong = Object.fromEntries(Object.keys(media).map((name) => [name, [1]]));
    const body = { type, ...wrong, [type]: Object(media)[type] };
    expect(failuresOf(MessageBody, body, 'body')).toEqual([]);
    expect(failuresOf(MessageBody, { type: 'text', text: 'hi', ...wrong }, 'body')).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['image', {}, ['image.url should not be empty', 'image.mimetype should not be empty']],
    ['image', { ...image, url: '' }, ['image.url should not be empty']],
    ['image', { ...image, url: 5 }, ['image.url must be a string']],
    ['image', { ...image, url: 'ftp://files.example/a' }, ['image.url must be an http or https url']],
    ['image', { ...image, url: 'file:///etc/passwd' }, ['image.url must be an http or https url']],
    ['image', { ...image, url: 'a.png' }, ['image.url must be an http or https url']],
    ['image', { ...image, mimetype: '' }, ['image.mimetype should not be empty']],
    ['image', { ...image, mimetype: ['image/png'] }, ['image.mimetype must be a string']],
    ['image', { ...image, mimetype: 'nonsense' }, ['image.mimetype must be a mime type']],
    ['image', { ...image, mimetype: 'image/' }, ['image.mimetype must be a mime type']],
    ['image', { ...image, mimetype: 'image/png\r\nx: y' }, ['image.mimetype must be a mime type']],
    ['image', { ...image, mimetype: 'image/svg+xml' }, []],
    ['image', { ...image, thumbnail: '' }, []],
    ['image', { ...image, thumbnail: 'anything' }, []],
    ['image', { ...image, thumbnail: {} }, ['image.thumbnail must be a string']],
    [
      'video',
      {},
      [
        'video.url should not be empty',
        'video.mimetype should not be empty',
        'video.duration must be a positive number',
      ],
    ],
    ['video', { ...video, duration: 0 }, ['video.duration must be a positive number']],
    ['video', { ...video, duration: -1 }, ['video.duration must be a positive number']],
    ['video', { ...video, duration: '5' }, ['video.duration must be a positive number']],
    ['video', { ...video, duration: '' }, ['video.duration must be a positive number']],
    ['video', { ...video, duration: Infinity }, ['video.duration must be a positive number']],
    ['video', { ...video, duration: true }, ['video.duration must be a positive number']],
    ['video', { ...video, duration: null }, ['video.duration must be a positive number']],
    ['video', { ...video, mimetype: 'mp4' }, ['video.mimetype must be a mime type']],
    ['video', { ...video, thumbnail: '' }, []],
    ['video', { ...video, thumbnail: url }, []],
    ['video', { ...video, thumbnail: 'data:image/png;base64,AA' }, ['video.thumbnail must be an http or https url']],
    [
      'audio',
      { duration: -5 },
      [
        'audio.url should not be empty',
        'audio.mimetype should not be empty',
        'audio.duration must be a positive number',
      ],
    ],
    ['audio', { ...audio, duration: undefined }, ['audio.duration must be a positive number']],
    [
      'document',
      {},
      [
        'document.url should not be empty',
        'document.name should not be empty',
        'document.size must be a positive number',
        'document.mimetype should not be empty',
      ],
    ],
    ['document', { ...document, size: 0 }, ['document.size must be a positive number']],
    ['document', { ...document, size: 'big' }, ['document.size must be a positive number']],
    ['document', { ...document, name: 7 }, ['document.name must be a string']],
    ['document', { ...document, name: '  ' }, ['document.name should not be empty']],
    ['document', { ...document, mimetype: 'nonsense' }, ['document.mimetype must be a mime type']],
    ['audio', { ...audio, mimetype: 'nonsense' }, ['audio.mimetype must be a mime type']],
    ['audio', { ...audio, mimetype: 'audio/ogg; codecs=opus' }, []],
    ['location', {}, ['location.latitude should not be empty', 'location.longitude should not be empty']],
    [
      'location',
      { latitude: 0, longitude: 0 },
      ['location.latitude should not be empty', 'location.longitude should not be empty'],
    ],
    [
      'location',
      { latitude: 90.1, longitude: -180.1 },
      ['location.latitude must be between -90 and 90', 'location.longitude must be between -180 and 180'],
    ],
    ['location', { latitude: -90, longitude: 180 }, []],
    [
      'location',
      { latitude: '52.5', longitude: {} },
      ['location.latitude must be a number', 'location.longitude must be a number'],
    ],
    ['location', { ...location, name: 'Here', address: '' }, []],
    [
      'location',
      { ...location, name: 1, address: 2 },
      ['location.name must be a string', 'location.address must be a string'],
    ],
    ['contact', {}, ['contact.name should not be empty', 'contact.phone should not be empty']],
    ['contact', { name: 'Ann', phone: 15550000001 }, ['contact.phone must be a string']],
    ['contact', { name: '  ', phone: '112' }, ['contact.name should not be empty']],
    ['contact', { name: 'Ann', phone: 'abc' }, ['contact.phone must be a phone number']],
    ['contact', { name: 'Ann', phone: '+1 (2)' }, ['contact.phone must be a phone number']],
    ['contact', { name: 'Ann', phone: '1 1-2' }, []],
  ])('[ER2.2] [ER2.5] %s %j', (type, fields, lines) => {
    expect(failuresOf(MessageBody, { user: '1', type, [type]: fields }, 'body')).toEqual(lines);
  });

  it('[ER2.1] all failures of a request, in the order of the interface', () => {
    const body = { silent: 1, video: { thumbnail: 5, duration: 0 }, parseMode: 'x', text: 1, type: 'video', user: 5 };
    expect(failuresOf(MessageBody, body, 'body')).toEqual([
      'user must be a string',
      'text must be a string',
      'parseMode must be one of the following values: markdown, html',
      'video.url should not be empty',
      'video.mimetype should not be empty',
      'video.duration must be a positive number',
      'video.thumbnail must be a string',
      'silent must be a boolean',
    ]);
  });
});

describe('POST /status', () => {
  it.each<[object, string[]]>([
    [{ type: 'image', image }, []],
    [{ type: 'video', video, text: 'Hi', parseMode: 'html', privacy: 'everyone', period: 6 }, []],
    [{ type: 'image', image, video: 5, text: '', parseMode: '', privacy: '', period: null }, []],
    [{}, ['type should not be empty']],
    [{ type: 'text', text: 'Hi' }, ['type must be one of the following values: image, video']],
    [{ type: 'image' }, ['image should not be empty']],
    [{ type: 'video', video: {} }, failuresOf(MessageBody, { type: 'video', video: {} }, 'body')],
    [
      { type: 'image', image, privacy: 'friends' },
      ['privacy must be one of the following values: contacts, everyone, close_friends'],
    ],
    [{ type: 'image', image, period: 7 }, ['period must be one of the following values: 6, 12, 24, 48']],
    [{ type: 'image', image, period: '24' }, ['period must be one of the following values: 6, 12, 24, 48']],
    [
      { period: 1, privacy: 2, image: { mimetype: 'a/b' }, parseMode: 'x', text: 5, type: 'image' },
      [
        'text must be a string',
        'parseMode must be one of the following values: markdown, html',
        'image.url should not be empty',
        'privacy must be one of the following values: contacts, everyone, close_friends',
        'period must be one of the following values: 6, 12, 24, 48',
      ],
    ],
  ])('[ST1.1] %j', (body, lines) => {
    expect(failuresOf(StatusBody, body, 'body')).toEqual(lines);
  });
});

describe('the header Idempotency-Key', () => {
  it('[MS7.1] has at most 128 characters', () => {
    const lines = (key: string): string[] => failuresOf(IdempotencyHeaders, { 'idempotency-key': key }, 'headers');
    expect(lines('')).toEqual([]);
    expect(lines('k'.repeat(128))).toEqual([]);
    expect(lines('k'.repeat(129))).toEqual(['idempotency-key must be shorter than or equal to 128 characters']);
  });
});

describe('POST /session/password', () => {
  it.each<[unknown, string[]]>([
    [{ password: 'hunter2' }, []],
    [{ password: ' ' }, []],
    [{}, ['password should not be empty']],
    [{ password: '' }, ['password should not be empty']],
    [{ password: 12345678 }, ['password must be a string']],
    [[], ['body must be an object']],
    ['hunter2', ['body must be an object']],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(PasswordBody, body, 'body')).toEqual(lines);
  });
});

describe('PUT /session/webhook', () => {
  it.each<[object, string[]]>([
    [{ url: 'https://hook.example/x', token: 't' }, []],
    [{ url: 'HTTP://10.0.0.1:80', token: 't' }, []],
    [{ url: '', token: '' }, []],
    [{}, []],
    [{ url: 'https://hook.example' }, [`url and token ${both}`]],
    [{ url: '', token: 't' }, [`url and token ${both}`]],
    [{ url: 'ftp://hook.example', token: 't' }, ['url must be an http or https url']],
    [{ url: 'hook.example', token: 't' }, ['url must be an http or https url']],
    [{ url: 'javascript:alert(1)', token: 't' }, ['url must be an http or https url']],
    [{ url: 'nowhere' }, [`url and token ${both}`, 'url must be an http or https url']],
    [{ url: 1, token: 2 }, ['url must be a string', 'token must be a string']],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(WebhookBody, body, 'body')).toEqual(lines);
  });

  const webhook = { url: 'https://hook.example', token: 't' };
  const words = 'chats must be one of the following values: private, groups, channels, all';

  it.each<[object, string[]]>([
    [{ events: ['message', 'chat.member', 'chat.read'], chats: 'all' }, []],
    [{ chats: ['1002', '-2001', '-1003001'] }, []],
    [{ events: [] }, ['events should not be empty']],
    [{ events: 'message' }, ['events must be an array']],
    [{ chats: 'some' }, [words]],
    [{ chats: 5 }, [words]],
    [{ chats: [] }, ['chats should not be empty']],
    [{ chats: ['1002', 'bob'] }, ['chats.1 must be a chat ID']],
    [{ chats: Array.from({ length: 101 }, () => '1') }, ['chats must have between 1 and 100 entries']],
  ])('[EV1.2] %j', (filter, lines) => {
    expect(failuresOf(WebhookBody, { ...webhook, ...filter }, 'body')).toEqual(lines);
  });

  it.each(['weather', 'chat.typing', 'user.status', 'session.deleted'])('[EV1.2] a webhook gets no %s', (type) => {
    const [line] = failuresOf(WebhookBody, { ...webhook, events: ['message', type] }, 'body');
    expect(line).toMatch(/^events\.1 must be one of the following values: message, message\.edited, /);
  });
});

describe('a word or a list in a query', () => {
  const Query = Type.Object({ chats: Type.Optional(chatsField) });
  const validate = validatorCompiler({ schema: Query, method: 'GET', url: '/', httpPart: 'querystring' });

  it('[EV1.2] is the word, or what the commas part', () => {
    expect(validate({ chats: 'groups' })).toEqual({ value: { chats: 'groups' } });
    expect(validate({ chats: '1002' })).toEqual({ value: { chats: ['1002'] } });
    expect(validate({ chats: '1002,-2001' })).toEqual({ value: { chats: ['1002', '-2001'] } });
    expect(validate({ chats: ['1002', '-2001'] })).toEqual({ value: { chats: ['1002', '-2001'] } });
    expect(validate({ chats: 'nowhere' })).toHaveProperty('error.statusCode', 400);
  });
});

describe('POST /session', () => {
  const entries = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

  it.each<[object, string[]]>([
    [{}, []],
    [{ name: 'shop', metadata: entries(16), webhook: { url: 'https://hook.example', token: 't' } }, []],
    [{ webhook: {} }, []],
    [{ name: 5 }, ['name must be a string']],
    [{ metadata: entries(17) }, ['metadata must have at most 16 entries']],
    [{ metadata: { ...entries(15), x: 1, y: 2 } }, ['metadata must have at most 16 entries']],
    [{ metadata: { ...entries(15), x: 1 } }, ['metadata.x must be a string']],
    [{ metadata: { a: 'b', c: 1, d: null } }, ['metadata.c must be a string', 'metadata.d must be a string']],
    [{ metadata: 'a' }, ['metadata must be an object']],
    [{ metadata: '', webhook: '' }, ['metadata must be an object', 'webhook must be an object']],
    [{ metadata: ['a'] }, ['metadata must be an object']],
    [{ webhook: 'https://hook.example' }, ['webhook must be an object']],
    [{ webhook: { url: 'https://hook.example' } }, [`webhook.url and webhook.token ${both}`]],
    [
      { webhook: { url: 'x:y', token: 1 } },
      ['webhook.url must be an http or https url', 'webhook.token must be a string'],
    ],
    [
      { name: 1, metadata: 2, webhook: 3 },
      ['name must be a string', 'metadata must be an object', 'webhook must be an object'],
    ],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(SettingsBody, body, 'body')).toEqual(lines);
  });
});

describe('length', () => {
  const linesOf = (body: object): string[] => failuresOf(MessageBody, body, 'body');

  it('[ER2.6] of a URL', () => {
    const withUrl = (length: number): object => ({ type: 'image', image: { ...image, url: long(length) } });
    expect(linesOf(withUrl(2048))).toEqual([]);
    expect(linesOf(withUrl(2049))).toEqual(['image.url must be shorter than or equal to 2048 characters']);
  });

  it('[ER2.6] of a webhook, a name and metadata', () => {
    const line = (name: string, limit: number): string =>
      `${name} must be shorter than or equal to ${limit} characters`;
    const body = { name: 'n'.repeat(257), webhook: { url: long(2049), token: 't'.repeat(257) } };
    const lines = [line('name', 256), line('webhook.url', 2048), line('webhook.token', 256)];
    expect(failuresOf(SettingsBody, body, 'body')).toEqual(lines);
    const tooMuch = ['metadata must be smaller than or equal to 16384 bytes'];
    expect(failuresOf(SettingsBody, { metadata: { k: 'ü'.repeat(8192) } }, 'body')).toEqual(tooMuch);
    expect(failuresOf(SettingsBody, { metadata: { ['k'.repeat(16_385)]: 1 } }, 'body')).toEqual(tooMuch);
    expect(failuresOf(SettingsBody, { metadata: { k: 'v'.repeat(16_383) } }, 'body')).toEqual([]);
  });

  it('[ER2.6] of a recipient and of a file name', () => {
    expect(linesOf({ ...text, user: '1'.repeat(257) })).toEqual([
      'user must be shorter than or equal to 256 characters',
    ]);
    const named = (length: number): object => ({
      type: 'document',
      document: { ...document, name: 'n'.repeat(length) },
    });
    expect(linesOf(named(256))).toEqual([]);
    expect(linesOf(named(257))).toEqual(['document.name must be shorter than or equal to 256 characters']);
  });
});

describe('query', () => {
  const Query = Type.Object({ groupId: Type.String(), before: Type.Optional(Type.String()) });

  it('[ER2.3] a required parameter that is missing gives both lines, an empty one gives one', () => {
    expect(failuresOf(Query, {}, 'query')).toEqual(['groupId must be a string', 'groupId should not be empty']);
    expect(failuresOf(Query, { groupId: '' }, 'query')).toEqual(['groupId should not be empty']);
    expect(failuresOf(Query, { groupId: ['a', 'b'] }, 'query')).toEqual(['groupId must be a string']);
    expect(failuresOf(Query, { groupId: 'a' }, 'query')).toEqual([]);
  });
});

describe('null', () => {
  const validate = validatorCompiler({ schema: SettingsBody, method: 'POST', url: '/session', httpPart: 'body' });

  it('says the same as leaving a field out', () => {
    expect(validate({ name: null, webhook: { url: null, token: null } })).toEqual({ value: { webhook: {} } });
    expect(validate(null)).toEqual({ value: {} });
  });

  it('[ER2.1] joins the lines of all failures with line feeds', () => {
    expect(validate({ name: 1, metadata: 2 })).toMatchObject({
      error: { statusCode: 400, message: 'name must be a string\nmetadata must be an object' },
    });
  });

  it('[ER1.1] ends after 20 lines', () => {
    const schema = Type.Object(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, Type.String()])));
    const validateMany = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' });
    const { error } = validateMany({}) as { error: Error };
    expect(error.message.split('\n')).toHaveLength(20);
  });
});

describe('a list', () => {
  const schema = Type.Object({
    ids: Type.Array(Type.String(keywords({ pattern: '^[0-9]+$', is: 'a number' })), { minItems: 1, maxItems: 3 }),
    places: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 9 }), { maxItems: 2 })),
    items: Type.Optional(Type.Array(Type.Object({ name: filledText }))),
  });

  it.each<[object, string[]]>([
    [{ ids: ['1', '22'] }, []],
    [{ ids: ['1'], places: [], items: [] }, []],
    [{}, ['ids should not be empty']],
    [{ ids: [] }, ['ids should not be empty']],
    [{ ids: '1' }, ['ids must be an array']],
    [{ ids: { 0: '1' } }, ['ids must be an array']],
    [{ ids: ['1', '2', '3', 'four'] }, ['ids must have between 1 and 3 entries']],
    [{ ids: ['1', 'two', 3] }, ['ids.1 must be a number', 'ids.2 must be a string']],
    [{ ids: ['', null] }, ['ids.0 should not be empty', 'ids.1 should not be empty']],
    [{ ids: ['1'], places: [0, 10, 'x'] }, ['places must have between 0 and 2 entries']],
    [{ ids: ['1'], places: [10, 0.5] }, ['places.0 must be between 0 and 9', 'places.1 must be an integer']],
    [
      { ids: ['1'], items: [{}, { name: ' ' }, 5, { name: 'a' }] },
      ['items.0.name should not be empty', 'items.1.name should not be empty', 'items.2 must be an object'],
    ],
  ])('[ER2.7] %j', (body, lines) => {
    expect(failuresOf(schema, body, 'body')).toEqual(lines);
  });

  it.each<[unknown, unknown]>([
    ['1', { value: { ids: ['1'] } }],
    ['1,2', { value: { ids: ['1', '2'] } }],
    [['1', '2,3'], { value: { ids: ['1', '2', '3'] } }],
    [['1', 'x'], { error: expect.objectContaining({ message: 'ids.1 must be a number' }) }],
    ['1,', { error: expect.objectContaining({ message: 'ids.1 should not be empty' }) }],
    ['', { error: expect.objectContaining({ message: 'ids should not be empty' }) }],
    [undefined, { error: expect.objectContaining({ message: 'ids must be a string\nids should not be empty' }) }],
  ])('[ER2.7] in a query: %j', (ids, result) => {
    const validate = validatorCompiler({ schema, httpPart: 'querystring', method: 'DELETE', url: '/' });
    expect(validate({ ids })).toMatchObject(result as object);
  });
});
