import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { carries } from '../../../../../src/telegram/gramjs/sending/carries.ts';
import type { OutgoingMedia } from '../../../../../src/telegram/port/outgoing.ts';

const file = { path: '/nowhere', size: 1000, name: 'a.bin', mimetype: 'application/octet-stream' };
const video = { file, duration: 1, width: 2, height: 3 };
const messageWith = (media?: Api.TypeMessageMedia): Api.Message =>
  new Api.Message({
    id: 1,
    date: 1,
    message: '',
    peerId: new Api.PeerUser({ userId: bigInt(7) }),
    ...(media && { media }),
  });
const documentOf = (size: number, name?: string): Api.MessageMediaDocument => {
  const attributes = [
    new Api.DocumentAttributeAnimated(),
    ...(name === undefined ? [] : [new Api.DocumentAttributeFilename({ fileName: name })]),
  ];
  const [id, accessHash, bytes] = [bigInt(1), bigInt(1), bigInt(size)];
  const fields = { id, accessHash, size: bytes, fileReference: Buffer.alloc(0), date: 1, dcId: 2, attributes };
  return new Api.MessageMediaDocument({ document: new Api.Document({ ...fields, mimeType: 'video/mp4' }) });
};
const geo = (lat: number, long: number): Api.GeoPoint => new Api.GeoPoint({ lat, long, accessHash: bigInt(1) });
const pin = (lat: number, long: number): Api.MessageMediaGeo => new Api.MessageMediaGeo({ geo: geo(lat, long) });
const venue = (title: string, lat = 52.5): Api.MessageMediaVenue =>
  new Api.MessageMediaVenue({ geo: geo(lat, 13.4), title, address: 'A', provider: '', venueId: '', venueType: '' });
const contact = (phoneNumber: string): Api.MessageMediaContact =>
  new Api.MessageMediaContact({ phoneNumber, firstName: 'A', lastName: '', vcard: '', userId: bigInt(0) });
const poll = (text: string): Api.MessageMediaPoll => {
  const question = new Api.TextWithEntities({ text, entities: [] });
  return new Api.MessageMediaPoll({
    poll: new Api.Poll({ id: bigInt(1), question, answers: [] }),
    results: new Api.PollResults({}),
  });
};
const photo = new Api.MessageMediaPhoto({});
const others: [string, Api.TypeMessageMedia | undefined][] = [
  ['nothing', undefined],
  ['a photo', photo],
  ['a file', documentOf(1000, 'a.bin')],
  ['a pin', pin(52.5, 13.4)],
  ['a venue', venue('Zoo')],
  ['a contact', contact('4915100000001')],
  ['a poll', poll('Who?')],
];

const kinds: [OutgoingMedia, string][] = [
  [{ kind: 'photo', file }, 'a photo'],
  [{ kind: 'video', ...video }, 'a file'],
  [{ kind: 'audio', file, duration: 1 }, 'a file'],
  [{ kind: 'document', file }, 'a file'],
  [{ kind: 'sticker', file, width: 1, height: 1 }, 'a file'],
  [{ kind: 'voice', file, duration: 1, waveform: [] }, 'a file'],
  [{ kind: 'videoNote', ...video }, 'a file'],
  [{ kind: 'animation', ...video }, 'a file'],
  [{ kind: 'location', latitude: 52.5, longitude: 13.4 }, 'a pin'],
  [{ kind: 'venue', latitude: 52.5, longitude: 13.4, title: 'Zoo', address: 'A' }, 'a venue'],
  [{ kind: 'contact', phone: '4915100000001', firstName: 'A', lastName: '' }, 'a contact'],
  [{ kind: 'poll', question: 'Who?', options: ['I', 'you'], multiple: false }, 'a poll'],
];

describe('a message that may be the one of a send whose answer was lost', () => {
  it.each(kinds)('[MS6.2] carries what was sent and nothing else: %j', (sent, like) => {
    const found = others.filter(([, media]) => carries(messageWith(media), sent)).map(([name]) => name);
    expect(found).toEqual([like]);
  });

  it('[MS6.2] carries a file of the same name and size', () => {
    const sent: OutgoingMedia = { kind: 'document', file };
    const isLike = (media: Api.TypeMessageMedia): boolean => carries(messageWith(media), sent);
    expect(isLike(documentOf(1000, 'a.bin'))).toBe(true);
    expect(isLike(documentOf(1001, 'a.bin'))).toBe(false);
    expect(isLike(documentOf(1000, 'b.bin'))).toBe(false);
    expect(isLike(documentOf(1000))).toBe(false);
    expect(isLike(new Api.MessageMediaDocument({}))).toBe(false);
    expect(isLike(new Api.MessageMediaDocument({ document: new Api.DocumentEmpty({ id: bigInt(1) }) }))).toBe(false);
  });

  it('[MS6.2] carries a place with the digits that Telegram keeps', () => {
    const sent: OutgoingMedia = { kind: 'location', latitude: 52.5, longitude: 13.4 };
    const isLike = (media: Api.TypeMessageMedia): boolean => carries(messageWith(media), sent);
    expect(isLike(pin(52.500_09, 13.399_91))).toBe(true);
    for (const away of [pin(52.500_2, 13.4), pin(52.499_8, 13.4), pin(52.5, 13.400_2), pin(52.5, 13.399_8)]) {
      expect(isLike(away)).toBe(false);
    }
    expect(isLike(new Api.MessageMediaGeo({ geo: new Api.GeoPointEmpty() }))).toBe(false);
  });

  it('[MS6.2] carries a venue of the same title at the same place', () => {
    const sent: OutgoingMedia = { kind: 'venue', latitude: 52.5, longitude: 13.4, title: 'Zoo', address: 'A' };
    expect(carries(messageWith(venue('Park')), sent)).toBe(false);
    expect(carries(messageWith(venue('Zoo', 52.6)), sent)).toBe(false);
  });

  it('[MS6.2] carries a contact by the digits of its phone, and a poll by its question as Telegram trims it', () => {
    const person: OutgoingMedia = { kind: 'contact', phone: '+49 151 00000001', firstName: 'A', lastName: '' };
    expect(carries(messageWith(contact('49-15100000001')), person)).toBe(true);
    expect(carries(messageWith(contact('4915100000002')), person)).toBe(false);
    const asked: OutgoingMedia = { kind: 'poll', question: ' Who? ', options: ['I', 'you'], multiple: false };
    expect(carries(messageWith(poll('Who?')), asked)).toBe(true);
    expect(carries(messageWith(poll('What?')), asked)).toBe(false);
  });
});
