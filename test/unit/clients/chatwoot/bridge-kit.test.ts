import { createHmac } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSame, isSigned } from '../../../../clients/chatwoot/src/chatwoot/verify-webhook.ts';
import { readConfig } from '../../../../clients/chatwoot/src/config.ts';
import type { Envelope, MessageData } from '../../../../clients/chatwoot/src/gateway/envelope.ts';
import { parseEvents } from '../../../../clients/chatwoot/src/gateway/parse-events.ts';
import { Store } from '../../../../clients/chatwoot/src/store/store.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

const environment = {
  GATEWAY_URL: 'https://gateway.example/',
  SESSION_ID: 'a',
  SESSION_SECRET: 'b',
  CHATWOOT_URL: 'https://chatwoot.example',
  CHATWOOT_ACCOUNT_ID: '1',
  CHATWOOT_INBOX_ID: '7',
  CHATWOOT_ACCESS_TOKEN: 'c',
  CHATWOOT_WEBHOOK_SECRET: 'a secret of the inbox',
};

describe('settings', () => {
  it('[CW2.7] have defaults, and lose slashes at the end', () => {
    expect(readConfig(environment)).toMatchObject({ gatewayUrl: 'https://gateway.example', port: 3300, inboxId: 7 });
  });

  it('[CW2.7] that are missing or wrong are named together, without their values', () => {
    const wrong = { ...environment, GATEWAY_URL: 'ftp://secret', SESSION_ID: '', PORT: 'x', WEBHOOK_TOKEN: 'short' };
    const faults = [
      'SESSION_ID is missing',
      'GATEWAY_URL must be an http or https URL',
      'WEBHOOK_TOKEN must have at least 16 characters',
      'PORT must be a whole number',
    ];
    expect(() => readConfig(wrong)).toThrow(new Error(faults.join('\n')));
  });

  it('[CW2.5] without a secret or a token nothing starts', () => {
    expect(() => readConfig({ ...environment, CHATWOOT_WEBHOOK_SECRET: '' })).toThrow(/WEBHOOK_TOKEN is missing/);
  });
});

it('[CW2.5] a signature is that of the body, the time and the secret', () => {
  const body = Buffer.from('{"id":1}');
  const nowMs = 1_700_000_000_000;
  const timestamp = '1700000000';
  const sign = (text: string): string => `sha256=${createHmac('sha256', 'secret').update(text).digest('hex')}`;
  const signature = sign('1700000000.{"id":1}');
  const secret = 'secret';
  expect(isSigned(body, { timestamp, signature }, { secret, nowMs })).toBe(true);
  expect(isSigned(Buffer.from('{"id":2}'), { timestamp, signature }, { secret, nowMs })).toBe(false);
  expect(isSigned(body, { timestamp: '1700000001', signature }, { secret, nowMs })).toBe(false);
  expect(isSigned(body, { timestamp, signature }, { secret: 'other', nowMs })).toBe(false);
  expect(isSigned(body, { timestamp, signature }, { secret, nowMs: nowMs + 301_000 })).toBe(false);
  expect(isSigned(body, { timestamp: '', signature: sign('.{"id":1}') }, { secret, nowMs })).toBe(false);
  expect([isSame('a', 'a'), isSame('a', 'b'), isSame('a', '')]).toEqual([true, false, false]);
});

it('[CW2.1] events are read wherever the stream is cut', async () => {
  const text = ': hello\n\nid: 1\nevent: message\ndata: {"a":\ndata: "ü"}\n\nretry: 2000\n\ndata: two\r\n\r\ndata: cut';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_chunk, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    const body = ReadableStream.from(chunks) as ReadableStream<Uint8Array>;
    let heard = 0;
    const events: string[] = [];
    for await (const data of parseEvents(body, () => (heard += 1))) events.push(data);
    expect(events).toEqual(['{"a":\n"ü"}', 'two']);
    expect(heard).toBe(chunks.length);
  }
});

describe('what the bridge keeps', () => {
  let folder: TemporaryFolder;
  let store: Store;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    store = new Store(join(folder.path, 'data'));
  });
  afterEach(async () => {
    store.close();
    await folder.remove();
  });
  const again = (): void => {
    store.close();
    store = new Store(join(folder.path, 'data'));
  };
  const event = (seq: number): Envelope => ({
    id: `e${seq}`,
    seq,
    previous: seq - 1,
    type: 'message',
    data: { id: String(seq), chatId: '1002' } as MessageData,
  });
  const written = { content: 'Hi', message_type: 1, private: false, source_id: null, created_at: 1 };

  it('[CW2.1] an event once, in order, until it is finished; over a restart', () => {
    expect([store.recordIncoming(event(3)), store.recordIncoming(event(4)), store.recordIncoming(event(3))]).toEqual([
      true,
      true,
      false,
    ]);
    store.markTried(3, 1000);
    again();
    expect(store.nextIncoming('1002')).toMatchObject({ seq: 3, triedAt: 1000 });
    expect(store.waiting()).toEqual({ chats: ['1002'], conversations: [] });
    store.finishIncoming(3, { chatId: '1002', telegramId: '3', chatwootId: 30 });
    expect(store.nextIncoming('1002')).toMatchObject({ seq: 4, triedAt: 0 });
    expect(store.recordIncoming(event(3))).toBe(false);
    expect([store.chatwootIdOf('1002', '3'), store.telegramIdOf('1002', 30)]).toEqual([30, '3']);
  });

  it('[CW2.2] a message of an agent once, and none of the bridge’s own', () => {
    store.finishIncoming(1, { chatId: '1002', telegramId: '3', chatwootId: 30 });
    expect(store.recordOutgoing('1002', 9, { ...written, id: 30 }, 5)).toBe(false);
    expect(store.recordOutgoing('1002', 9, { ...written, id: 32 }, 5)).toBe(true);
    expect(store.recordOutgoing('1002', 9, { ...written, id: 31 }, 6)).toBe(true);
    expect(store.recordOutgoing('1002', 9, { ...written, id: 32 }, 7)).toBe(false);
    again();
    expect(store.nextOutgoing(9)).toMatchObject({
      message: { id: 31 },
      receivedAt: 6,
      sentParts: 0,
      refusal: undefined,
    });
    store.finishPart(31, { sentParts: 1, chatId: '1002', telegramId: '40' });
    store.refuseOutgoing(31, 'no');
    again();
    expect(store.nextOutgoing(9)).toMatchObject({ sentParts: 1, refusal: 'no' });
    store.finishOutgoing(31);
    expect(store.nextOutgoing(9)?.message.id).toBe(32);
    expect(store.recordOutgoing('1002', 9, { ...written, id: 31 }, 8)).toBe(false);
    expect(store.counts()).toEqual({ incoming: 0, outgoing: 1 });
  });

  it('[CW2.3] a place in a conversation goes forward alone', () => {
    store.setCursor(9, '1002', 20);
    store.setCursor(9, '1002', 10);
    expect(store.conversation(9)).toEqual({ chatId: '1002', cursor: 20 });
  });

  it('[CW2.7] in a file that only its owner reads', () => {
    expect(statSync(join(folder.path, 'data', 'bridge.db')).mode & 0o777).toBe(0o600);
  });
});
