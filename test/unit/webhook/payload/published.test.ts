import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/config/clock.ts';
import type { ChatMessage, MessageMedia } from '../../../../src/telegram/port/chat-message.ts';
import type { TextEntity } from '../../../../src/telegram/port/text.ts';
import { signDelivery } from '../../../../src/webhook/deliver/sign-delivery.ts';
import { livePayloads } from '../../../../src/webhook/payload/live-payloads.ts';
import { payloadOf, testPayload } from '../../../../src/webhook/payload/payload-of.ts';
import { payloads } from '../../../../src/webhook/payload/payloads.ts';

const session = { id: 's1', generatedId: '1001' };
const user = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '' };
const body = JSON.stringify(testPayload(session, 'e1', systemClock.now()));

describe('what is published', () => {
  it.each(Object.entries({ ...payloads, ...livePayloads }))(
    '[WH3.1] has the schema of %s: npm run openapi writes it anew',
    async (type, schema) => {
      const published = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
      await expect(`${JSON.stringify(published, undefined, 2)}\n`).toMatchFileSnapshot(
        `../../../../docs/webhooks/${type}.json`,
      );
    },
  );

  it.each([
    'secret',
    'with spaces and ümlauts',
    `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    'whsec_ not base64',
  ])('[WH2.2] signs as Standard Webhooks verify, keyed by the token %s', (token) => {
    const headers = signDelivery(token, 'e1', systemClock.now(), body);
    const isStandard = token === `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const verifier = isStandard ? new Webhook(token) : new Webhook(Buffer.from(token), { format: 'raw' });
    expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => verifier.verify(`${body} `, headers)).toThrow(/signature/);
    expect(headers['x-token']).toBe(token);
  });

  it('[WH2.2] has an example endpoint of twenty lines that accepts only what is signed', async () => {
    const lines = readFileSync('docs/webhooks/endpoint.mjs', 'utf8').split('\n');
    expect(lines.length).toBeLessThan(30);
    const child = spawn(process.execPath, ['docs/webhooks/endpoint.mjs'], {
      env: { TOKEN: 'secret', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    try {
      await once(child.stdout, 'data');
      const port = /listening on (\d+)/.exec(output)?.[1];
      const post = async (token: string): Promise<number> => {
        const headers = signDelivery(token, 'e1', systemClock.now(), body);
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      };
      expect([await post('other'), await post('secret'), await post('secret')]).toEqual([400, 204, 204]);
      expect(output.split('\n').filter((line) => line === 'test {}')).toHaveLength(1);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });
});

describe('a payload', () => {
  const ajv = new Ajv2020({ strict: false });
  const faultsOf = (schema: object, payload: object): string => (ajv.validate(schema, payload) ? '' : ajv.errorsText());
  const message: ChatMessage = { id: 7, chatId: '1002', created: 0, fromMe: false, text: 'hi' };
  const metadata = { seq: 3, at: 0, login: 1, since: 0, position: { pts: 0, qts: 0, date: 0 } };
  const linkTo = (
    _account: string,
    { chatId, messageId, variant }: { chatId: string; messageId: string; variant: string },
    ext: string,
  ) => `${chatId}/${messageId}/${variant}.${ext}`;
  const file = { mimetype: 'audio/ogg', duration: 3, size: 5, name: '' };
  const state = {
    id: '9',
    isMultiple: true,
    isQuiz: false,
    isClosed: false,
    total: 3,
    explanation: '',
    options: [
      { votes: 3, isChosen: true, isCorrect: false },
      { isChosen: false, isCorrect: false },
    ],
  };
  const votes = [
    { text: 'a', votes: 3, chosen: true, correct: false },
    { text: 'b', votes: null, chosen: false, correct: false },
  ];
  const media: [string, MessageMedia, object][] = [
    ['image', { kind: 'photo', mimetype: 'image/jpeg', hasThumbnail: true }, { image: { url: '1002/7/photo.jpg' } }],
    ['video', { kind: 'video', ...file, mimetype: 'video/mp4', hasThumbnail: false }, { video: { thumbnail: '' } }],
    [
      'sticker',
      { kind: 'sticker', ...file, isAnimated: true, hasThumbnail: true },
      { sticker: { url: '1002/7/file.webp' } },
    ],
    [
      'audio',
      { kind: 'audio', ...file, name: 'a.mp3' },
      { audio: { url: '1002/7/file.mp3', name: 'a.mp3', duration: 3 } },
    ],
    ['voice', { kind: 'voice', ...file }, { voice: { url: '1002/7/file.ogg', duration: 3, size: 5 } }],
    ['document', { kind: 'document', ...file, name: 'a.pdf' }, { document: { url: '1002/7/file.pdf', name: 'a.pdf' } }],
    ['poll', { kind: 'poll', question: 'Q', options: ['a'] }, { polling: { name: 'Q', options: ['a'] } }],
    [
      'poll',
      { kind: 'poll', question: 'Q', options: ['a', 'b'], state },
      { poll: { id: '9', total: 3, options: votes } },
    ],
    [
      'location',
      { kind: 'location', latitude: 1, longitude: 2 },
      { location: { latitude: 1, longitude: 2, name: '' } },
    ],
    [
      'location',
      { kind: 'venue', latitude: 1, longitude: 2, title: 'T', address: 'A' },
      { location: { name: 'T', address: 'A' } },
    ],
    ['contact', { kind: 'contact', phone: '1', name: 'C', userId: '9' }, { contact: { name: 'C', phone: '1' } }],
    ['text', { kind: 'unsupported' }, { text: 'hi' }],
  ];

  it.each(media)('[WH3.1] of a %s is as its schema says', (type, carried, expected) => {
    const content = { user, message: { ...message, media: carried, replyTo: 5 } };
    const payload = payloadOf(session, { id: 'e', metadata }, { type: 'MessageReceived', content }, 2, linkTo);
    expect(faultsOf(payloads.message, payload)).toBe('');
    expect(payload).toMatchObject({
      seq: 3,
      previous: 2,
      type: 'message',
      data: { type, id: '7', replyTo: '5', ...expected },
    });
  });

  const range = { offset: 0, length: 2 };
  it.each<[TextEntity, object]>([
    [{ type: 'bold', ...range }, { type: 'bold' }],
    [{ type: 'expandableBlockquote', ...range }, { type: 'expandable_blockquote' }],
    [
      { type: 'pre', ...range, language: '' },
      { type: 'pre', language: '' },
    ],
    [
      { type: 'link', ...range, url: 'https://a.example' },
      { type: 'text_link', url: 'https://a.example' },
    ],
    [
      { type: 'mention', ...range, userId: '1' },
      { type: 'text_mention', userId: '1' },
    ],
    [
      { type: 'customEmoji', ...range, id: '5' },
      { type: 'custom_emoji', customEmojiId: '5' },
    ],
  ])('[CT2.6] has formatting by the names of the Bot API: %j', (entity, expected) => {
    const content = { user, message: { ...message, entities: [entity] } };
    const payload = payloadOf(session, { id: 'e', metadata }, { type: 'MessageReceived', content }, 2, linkTo);
    expect(faultsOf(payloads.message, payload)).toBe('');
    expect(payload.data).toMatchObject({ entities: [{ ...range, ...expected }] });
  });

  it('[WH3.1] of edits, deletions and reads is as its schema says', () => {
    const edited = payloadOf(
      session,
      { id: 'e', metadata },
      { type: 'MessageEdited', content: { user, message: { ...message, edited: 1000 } } },
      2,
      linkTo,
    );
    expect(faultsOf(payloads['message.edited'], edited)).toBe('');
    expect(edited.data).toMatchObject({ edited: '1970-01-01T00:00:01.000Z', replyTo: '' });
    const pictured = payloadOf(
      session,
      { id: 'e', metadata },
      { type: 'MessagesDeleted', content: { user: { ...user, photoId: '77' }, messageIds: [7] } },
      2,
      linkTo,
    );
    const picture = linkTo('1001', { chatId: '1002', messageId: '77', variant: 'profile' }, 'jpg');
    expect(pictured.data).toMatchObject({ user: { ...user, picture } });
    const deleted = payloadOf(
      session,
      { id: 'e', metadata },
      { type: 'MessagesDeleted', content: { user, messageIds: [7, 8] } },
      2,
      linkTo,
    );
    expect(faultsOf(payloads['message.deleted'], deleted)).toBe('');
    expect(deleted.data).toEqual({ chatId: '1002', messageIds: ['7', '8'], user: { ...user, picture: '' } });
    const read = payloadOf(
      session,
      { id: 'e', metadata },
      { type: 'MessagesRead', content: { user, upTo: 9, fromMe: true } },
      2,
      linkTo,
    );
    expect(faultsOf(payloads['message.read'], read)).toBe('');
    expect(read.data).toEqual({ chatId: '1002', upTo: '9', fromMe: true, user: { ...user, picture: '' } });
  });
});
