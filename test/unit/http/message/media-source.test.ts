import { expect, it } from 'vitest';
import { mediaBodyLimit, sourceOf } from '../../../../src/http/message/media-source.ts';
import { MessageBody } from '../../../../src/http/message/schemas.ts';
import { failuresOf } from '../../../../src/http/shared/validation.ts';
import { StatusBody } from '../../../../src/http/status/schemas.ts';

const url = 'https://files.example/a';
const data = Buffer.from('four').toString('base64');
const file = '0197f3a2-7c1e-7d20-8b6f-10d35e4472aa';
const only = (type: string): string => `${type} must have only one of url, data, file`;

const objects = {
  image: { mimetype: 'image/png' },
  video: { mimetype: 'video/mp4', duration: 1 },
  audio: { mimetype: 'audio/mpeg', duration: 1 },
  document: { mimetype: 'text/plain', name: 'a.txt', size: 4 },
};

it.each(Object.entries(objects))('[MX1.10] %s has one source of three', (type, fields) => {
  const lines = (source: object): string[] =>
    failuresOf(MessageBody, { type, [type]: { ...source, ...fields } }, 'body');
  for (const source of [{ url }, { data }, { file }, { url, data: '' }, { url: '', file }]) {
    expect(lines(source)).toEqual([]);
  }
  for (const none of [{}, { url: '' }, { url: '', data: '', file: '' }]) {
    expect(lines(none)).toEqual([`${type}.url should not be empty`]);
  }
  expect(lines({ url, data })).toEqual([only(type)]);
  expect(lines({ data, file })).toEqual([only(type)]);
  expect(lines({ url, data, file })).toEqual([only(type)]);
  expect(lines({ file: 5 })).toEqual([`${type}.file must be a string`]);
});

it('[MX1.10] so has that of a story', () => {
  const video = { mimetype: 'video/mp4', duration: 1 };
  expect(failuresOf(StatusBody, { type: 'video', video: { ...video, data } }, 'body')).toEqual([]);
  expect(failuresOf(StatusBody, { type: 'video', video: { ...video, data, url } }, 'body')).toEqual([only('video')]);
});

it('[MX1.10] what is read is the one that is filled', () => {
  expect(sourceOf({ url, data: '', file: '' })).toEqual({ url });
  expect(sourceOf({ url: '', data })).toEqual({ data });
  expect(sourceOf({ file })).toEqual({ file });
});

const imageLines = (text: unknown): string[] =>
  failuresOf(MessageBody, { type: 'image', image: { data: text, mimetype: 'image/png' } }, 'body');

it.each(['a', 'ab', 'abc', 'ab=c', 'a===', 'ab c', 'ab\n=', 'ab-_', 'data:image/png;base64,AA==', '====', 'äöüß'])(
  '[MX1.11] %j is no base64',
  (text) => {
    expect(imageLines(text)).toEqual(['image.data must be base64']);
  },
);

it('[MX1.11] base64 has its padding, and up to 10 MB', () => {
  const most = 10_485_760;
  for (const bytes of [1, 2, 3, most]) expect(imageLines(Buffer.alloc(bytes, 255).toString('base64'))).toEqual([]);
  const more = Buffer.alloc(most + 1).toString('base64');
  expect(imageLines(more)).toEqual(['image.data must be smaller than or equal to 10485760 bytes']);
  expect(imageLines(5)).toEqual(['image.data must be a string']);
  expect(more.length).toBeLessThan(mediaBodyLimit - 200_000);
});
