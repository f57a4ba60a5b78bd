import { describe, expect, it } from 'vitest';
import { MessageBody } from '../../../../src/http/message/schemas.ts';
import { failuresOf } from '../../../../src/http/shared/validation.ts';
import {
  audio,
  contact,
  document,
  image,
  location,
  long,
  text,
  url,
  video,
} from '../../../support/messaging/message-bodies.ts';

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

describe('length', () => {
  const linesOf = (body: object): string[] => failuresOf(MessageBody, body, 'body');

  it('[ER2.6] of a URL', () => {
    const withUrl = (length: number): object => ({ type: 'image', image: { ...image, url: long(length) } });
    expect(linesOf(withUrl(2048))).toEqual([]);
    expect(linesOf(withUrl(2049))).toEqual(['image.url must be shorter than or equal to 2048 characters']);
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
