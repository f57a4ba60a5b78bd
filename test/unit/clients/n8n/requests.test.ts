import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  chatsRequest,
  gatewayMessage,
  historyRequest,
  type ItemFile,
  markReadRequest,
  type Parameters,
  reactRequest,
  readPages,
  searchRequest,
  sendRequest,
} from '../../../../clients/n8n/nodes/TelegramGateway/requests.ts';

/** What the n8n node asks is held to the API document. */

interface Document {
  paths: Record<string, Record<string, object>>;
}
const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'api');

/** What the document finds wrong with a body. */
function faultsOf(path: string, body: unknown): unknown {
  const place = `api#/paths/~1${path.slice(1).replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(place);
  if (validate === undefined) throw new Error(`no POST ${path}`);
  return validate(body) === true ? [] : validate.errors;
}

const given = (values: Record<string, unknown>): Parameters => ({
  text: (name) => (values[name] ?? '') as string,
  number: (name) => Number(values[name] ?? 0),
  flag: (name) => values[name] === true,
  options: (name) => (values[name] ?? {}) as Record<string, unknown>,
});
const bob = { recipientType: 'user', recipient: ' 1002 ' };
const url = 'https://shop.example/file';
const file: ItemFile = { data: 'AQID', size: 3, name: 'a.bin', mimetype: 'image/png' };
const described = { mimeType: 'video/mp4', duration: 3, fileName: 'a.pdf', fileSize: 9, url };

describe('a send', () => {
  it.each([
    ['text', { text: 'hi' }, { text: 'hi' }],
    [
      'location',
      { latitude: 1.5, longitude: 2, place: { name: 'Pier' } },
      { location: { latitude: 1.5, longitude: 2, name: 'Pier' } },
    ],
    [
      'contact',
      { contactName: 'Cara', contactPhone: '+15550000003' },
      { contact: { name: 'Cara', phone: '+15550000003' } },
    ],
    [
      'poll',
      { question: 'When?', pollOptions: 'now\n\n later ' },
      { poll: { question: 'When?', options: ['now', 'later'], multiple: false } },
    ],
    ['image', described, { image: { url, mimetype: 'video/mp4' } }],
    ['video', described, { video: { url, mimetype: 'video/mp4', duration: 3 } }],
    ['audio', described, { audio: { url, mimetype: 'video/mp4', duration: 3 } }],
    ['document', described, { document: { url, mimetype: 'video/mp4', name: 'a.pdf', size: 9 } }],
    ['voice', described, { voice: { url } }],
    ['videoNote', described, { videoNote: { url } }],
    ['animation', { ...described, caption: 'look' }, { animation: { url }, text: 'look' }],
    ['sticker', described, { sticker: { url } }],
  ])('[NN1.1] of the type %s is as the API document has it', (type, values, content) => {
    const { body, path, method, idempotencyKey } = sendRequest(
      given({ ...bob, messageType: type, ...values }),
      undefined,
      'k',
    );
    expect({ method, path, idempotencyKey, body }).toEqual({
      method: 'POST',
      path: '/message',
      idempotencyKey: 'k',
      body: { user: '1002', type, ...content },
    });
    expect(faultsOf('/message', body)).toEqual([]);
  });

  it.each(['image', 'video', 'audio', 'document', 'voice', 'videoNote', 'animation', 'sticker'])(
    '[NN1.1] of the type %s takes the file of the item',
    (type) => {
      const { body } = sendRequest(given({ ...bob, messageType: type, ...described }), file, 'k');
      expect(body?.[type]).toMatchObject({ data: 'AQID' });
      expect(body?.[type]).not.toHaveProperty('url');
      expect(faultsOf('/message', body)).toEqual([]);
    },
  );

  it('[NN1.1] has its additional fields, and the key of one’s own', () => {
    const additionalFields = {
      idempotencyKey: 'order-1',
      replyTo: 42,
      topic: '17',
      silent: true,
      parseMode: 'html',
      sendAt: '2026-12-24T18:00:00Z',
    };
    const request = sendRequest(
      given({ recipientType: 'group', recipient: '-1003001', messageType: 'text', text: 'x', additionalFields }),
      undefined,
      'k',
    );
    expect(request.idempotencyKey).toBe('order-1');
    expect(request.body).toEqual({
      group: '-1003001',
      type: 'text',
      text: 'x',
      replyTo: '42',
      topic: '17',
      silent: true,
      parseMode: 'html',
      sendAt: '2026-12-24T18:00:00Z',
    });
    expect(faultsOf('/message', request.body)).toEqual([]);
  });
});

it.each([
  [reactRequest(given({ ...bob, messageId: '42', emoji: '' })), { user: '1002', messageId: '42', emoji: '' }],
  [markReadRequest(given(bob)), { user: '1002' }],
  [markReadRequest(given({ ...bob, upToMessageId: '42' })), { user: '1002', messageId: '42' }],
])('[NN1.1] asks %j as the API document has it', ({ path, body }, expected) => {
  expect(body).toEqual(expected);
  expect(faultsOf(path, body)).toEqual([]);
});

it.each([
  chatsRequest(given({ archived: true })),
  historyRequest(given({ chatId: '1002' })),
  searchRequest(given({ words: 'train' })),
  searchRequest(given({ words: 'train', chatId: '1002' })),
])('[NN1.1] the query of %j is one of the API document', ({ path, query, next }) => {
  const { parameters = [] } = (document.paths[path]?.['get'] ?? {}) as {
    parameters?: { name?: string; $ref?: string }[];
  };
  const names = parameters.map(
    ({ name, $ref }) => name ?? ($ref === '#/components/parameters/ChatId' ? 'chatId' : $ref),
  );
  expect(names).toEqual(expect.arrayContaining([...Object.keys(query), next, 'limit']));
});

describe('a list', () => {
  const all = Array.from({ length: 250 }, (_, index) => index);
  /** Pages of a list, as the gateway gives them. */
  const ask = (asked: unknown[]) => (request: { query?: Record<string, string | number> }) => {
    asked.push(request.query);
    const { after = 0, limit = 0 } = request.query ?? {};
    const end = Number(after) + Number(limit);
    return Promise.resolve({ docs: all.slice(Number(after), end), after: end < all.length ? String(end) : '' });
  };

  it.each([
    [undefined, 250, [100, 100, 100]],
    [120, 120, [100, 20]],
    [100, 100, [100]],
    [7, 7, [7]],
  ])('[NN1.2] of %s is read page by page', async (limit, length, pages) => {
    const asked: { limit: number }[] = [];
    expect(await readPages(chatsRequest(given({})), limit, ask(asked))).toEqual(all.slice(0, length));
    expect(asked.map((query) => query.limit)).toEqual(pages);
  });

  it('[NN1.2] is no longer than asked, with pinned chats on its first page', async () => {
    const more = () => Promise.resolve({ docs: [1, 2, 3, 4], after: 'x' });
    expect(await readPages(chatsRequest(given({})), 3, more)).toEqual([1, 2, 3]);
  });
});

it('[NN1.1] finds the message of the gateway in an error, wherever n8n has it', () => {
  const told = { message: 'chat not found' };
  expect(gatewayMessage({ response: { data: told } })).toBe('chat not found');
  expect(gatewayMessage({ response: { body: told } })).toBe('chat not found');
  expect(gatewayMessage({ context: { data: told } })).toBe('chat not found');
  for (const other of [undefined, new Error('x'), { response: { data: 'Bad Gateway' } }]) {
    expect(gatewayMessage(other)).toBeUndefined();
  }
});
