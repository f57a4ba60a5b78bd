import { describe, expect, it } from 'vitest';
import { MessageBody } from '../../../../src/http/message/schemas.ts';
import { failuresOf } from '../../../../src/http/shared/validation.ts';
import { StatusBody } from '../../../../src/http/status/schemas.ts';
import { image, video } from '../../../support/messaging/message-bodies.ts';

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
