import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { inputMedia } from '../../../../../src/telegram/gramjs/sending/input-media.ts';
import type { OutgoingFile, OutgoingMedia } from '../../../../../src/telegram/port/outgoing.ts';

const file: OutgoingFile = { path: '/f', size: 1000, name: 'a.bin', mimetype: 'video/mp4' };
const thumbnail: OutgoingFile = { path: '/t', size: 10, name: 't.jpg', mimetype: 'image/jpeg' };
const video = { file, duration: 12.5, width: 640, height: 360 };

/** What is sent, without what it does not say, and files by their names. */
async function sentAs(media: OutgoingMedia): Promise<unknown> {
  const uploaded: string[] = [];
  const made = await inputMedia(media, async ({ name }) => {
    uploaded.push(name);
    return name as unknown as Api.TypeInputFile;
  });
  return { uploaded, ...(said(made) as object) };
}

function said(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString()}`;
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== 'object' || value === null) return value;
  if (bigInt.isInstance(value)) return value.toString();
  const hidden = new Set(['CONSTRUCTOR_ID', 'SUBCLASS_OF_ID', 'classType', 'originalArgs']);
  const fields = Object.entries(value).filter(([name, field]) => !hidden.has(name) && field != null);
  return Object.fromEntries(fields.map(([name, field]) => [name, said(field)]));
}

const named = { className: 'DocumentAttributeFilename', fileName: 'a.bin' };
const shown = { className: 'DocumentAttributeVideo', supportsStreaming: true, duration: 12.5, w: 640, h: 360 };
const uploadedFile = { className: 'InputMediaUploadedDocument', file: 'a.bin', mimeType: 'video/mp4' };
const audio = { className: 'DocumentAttributeAudio' };
const at = { className: 'InputGeoPoint', lat: 52.5, long: 13.4 };
const plain = (text: string) => ({ className: 'TextWithEntities', text, entities: [] });
const answers = ['I', 'you'].map((text, place) => ({
  className: 'PollAnswer',
  text: plain(text),
  option: `bytes ${place}`,
}));
const poll = { className: 'Poll', id: '0', question: plain('Who?'), answers };

const cases: [string, OutgoingMedia, object][] = [
  ['MS3.1', { kind: 'photo', file }, { uploaded: ['a.bin'], className: 'InputMediaUploadedPhoto', file: 'a.bin' }],
  [
    'MS4.1',
    { kind: 'video', ...video },
    { uploaded: ['a.bin'], ...uploadedFile, attributes: [shown, named], nosoundVideo: true },
  ],
  [
    'MS4.2',
    { kind: 'video', ...video, thumbnail },
    {
      uploaded: ['t.jpg', 'a.bin'],
      ...uploadedFile,
      attributes: [shown, named],
      nosoundVideo: true,
      thumb: 't.jpg',
    },
  ],
  [
    'MS5.1',
    { kind: 'audio', file, duration: 3.6, title: 'T', performer: 'P' },
    {
      uploaded: ['a.bin'],
      ...uploadedFile,
      attributes: [{ ...audio, duration: 4, title: 'T', performer: 'P' }, named],
    },
  ],
  [
    'MS5.1',
    { kind: 'audio', file, duration: 0 },
    { uploaded: ['a.bin'], ...uploadedFile, attributes: [{ ...audio, duration: 1 }, named] },
  ],
  [
    'MS5.1',
    { kind: 'audio', file, duration: 1e12 },
    { uploaded: ['a.bin'], ...uploadedFile, attributes: [{ ...audio, duration: 2_147_483_647 }, named] },
  ],
  ['MS5.1', { kind: 'document', file }, { uploaded: ['a.bin'], ...uploadedFile, attributes: [named], forceFile: true }],
  [
    'MS5.2',
    { kind: 'location', latitude: 52.5, longitude: 13.4 },
    { uploaded: [], className: 'InputMediaGeoPoint', geoPoint: at },
  ],
  [
    'MS5.2',
    { kind: 'venue', latitude: 52.5, longitude: 13.4, title: 'Zoo', address: 'A' },
    {
      uploaded: [],
      className: 'InputMediaVenue',
      geoPoint: at,
      title: 'Zoo',
      address: 'A',
      provider: '',
      venueId: '',
      venueType: '',
    },
  ],
  [
    'MS5.2',
    { kind: 'contact', phone: '49151', firstName: 'A', lastName: 'B' },
    {
      uploaded: [],
      className: 'InputMediaContact',
      phoneNumber: '49151',
      firstName: 'A',
      lastName: 'B',
      vcard: '',
    },
  ],
  [
    'MX1.6',
    { kind: 'voice', file, duration: 2.4, waveform: [] },
    {
      uploaded: ['a.bin'],
      ...uploadedFile,
      attributes: [{ ...audio, voice: true, duration: 2, waveform: 'bytes ' }, named],
    },
  ],
  [
    'MX1.7',
    { kind: 'videoNote', ...video, thumbnail },
    {
      uploaded: ['t.jpg', 'a.bin'],
      ...uploadedFile,
      attributes: [{ ...shown, roundMessage: true }, named],
      nosoundVideo: true,
      thumb: 't.jpg',
    },
  ],
  [
    'MX1.5',
    { kind: 'animation', ...video, thumbnail },
    {
      uploaded: ['t.jpg', 'a.bin'],
      ...uploadedFile,
      attributes: [shown, { className: 'DocumentAttributeAnimated' }, named],
      thumb: 't.jpg',
    },
  ],
  [
    'MX1.5',
    { kind: 'sticker', file, width: 512, height: 300 },
    {
      uploaded: ['a.bin'],
      ...uploadedFile,
      attributes: [
        { className: 'DocumentAttributeImageSize', w: 512, h: 300 },
        { className: 'DocumentAttributeSticker', alt: '', stickerset: { className: 'InputStickerSetEmpty' } },
        named,
      ],
    },
  ],
  [
    'MX1.5',
    { kind: 'sticker', file, width: 512, height: 300, duration: 2 },
    {
      uploaded: ['a.bin'],
      ...uploadedFile,
      attributes: [
        { className: 'DocumentAttributeVideo', w: 512, h: 300, duration: 2 },
        { className: 'DocumentAttributeSticker', alt: '', stickerset: { className: 'InputStickerSetEmpty' } },
        named,
      ],
    },
  ],
  [
    'MX1.4',
    { kind: 'poll', question: 'Who?', options: ['I', 'you'], multiple: false },
    { uploaded: [], className: 'InputMediaPoll', poll },
  ],
  [
    'MX1.4',
    { kind: 'poll', question: 'Who?', options: ['I', 'you'], multiple: true },
    { uploaded: [], className: 'InputMediaPoll', poll: { ...poll, multipleChoice: true } },
  ],
  [
    'MX1.4',
    {
      kind: 'poll',
      question: 'Who?',
      options: ['I', 'you'],
      multiple: false,
      quiz: { correct: 1, explanation: 'So.' },
    },
    {
      uploaded: [],
      className: 'InputMediaPoll',
      poll: { ...poll, quiz: true },
      correctAnswers: ['bytes 1'],
      solution: 'So.',
      solutionEntities: [],
    },
  ],
  [
    'MX1.4',
    { kind: 'poll', question: 'Who?', options: ['I', 'you'], multiple: false, quiz: { correct: 0, explanation: '' } },
    { uploaded: [], className: 'InputMediaPoll', poll: { ...poll, quiz: true }, correctAnswers: ['bytes 0'] },
  ],
];

describe('media of a request', () => {
  it.each(cases)('[%s] are what was asked for: %j', async (_promise, media, expected) => {
    expect(await sentAs(media)).toEqual(expected);
  });
});
