import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDrivenClock } from '../support/clock.ts';
import type { Answer } from '../support/gateway.ts';
import { noise } from '../telegram/outgoing-files.ts';
import { reachable, useFiles } from './files.ts';
import { ann, bob, type Caller, onKurrentDb } from './scene.ts';
import { refused, type Seen, useWriting } from './writing.ts';

/** `Idempotency-Key`: many requests, one message, whatever dies in between. */

const second = 1000;
const hour = 3600 * second;
const crashes = 50;
const files = useFiles();
const writing = useWriting(reachable);
const { arrivals, calls, fault, newText, seen, timesSeen } = writing;

const post = (key: string, body: object, caller: Caller = writing.caller): Promise<Answer> => {
  const headers = { ...caller.headers, 'idempotency-key': key };
  return writing.scene.gateway.http.request('POST', '/message', { headers, body: { type: 'text', ...body } });
};
const restart = async (): Promise<void> => {
  await writing.scene.restart();
  await writing.scene.whilePassing(writing.scene.read(writing.caller, (session) => session.isConnected));
};
const anotherBody = refused(400, 'idempotency key was used with another body');

describe('the same key', () => {
  it('[MS7] and the same body: the same answer, and one message', async () => {
    const body = { user: bob, text: newText() };
    const first = await post('same', body);
    expect(first).toMatchObject({ status: 200, body: { messageId: expect.stringMatching(/^\d+$/) } });
    const sent = await calls('messages.sendMessage');
    expect(await post('same', body)).toMatchObject({ status: 200, body: first.body });
    expect(await post('same', { text: body.text, replyTo: '', silent: null, user: bob, unknown: 1 })).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(await calls('messages.sendMessage')).toBe(sent);
    expect(await timesSeen(body.text, bob)).toBe(1);
  });

  it.each<[string, object]>([
    ['text', { text: 'another one' }],
    ['receiver', { user: ann }],
    ['parse mode', { parseMode: 'html' }],
    ['silent', { silent: true }],
    ['type', { type: 'contact', contact: { name: 'Ann', phone: '15550000001' } }],
  ])('[MS7] and another %s: 400, and no second message', async (what, change) => {
    const body = { user: bob, text: newText() };
    expect(await post(`other ${what}`, body)).toMatchObject({ status: 200 });
    const sent = await calls('messages.sendMessage');
    expect(await post(`other ${what}`, { ...body, ...change })).toMatchObject(anotherBody);
    expect(await calls('messages.sendMessage')).toBe(sent);
  });

  it('[MS7] for another endpoint is another body', async () => {
    const text = newText();
    expect(await post('endpoint', { user: bob, text })).toMatchObject({ status: 200 });
    const headers = { ...writing.caller.headers, 'idempotency-key': 'endpoint' };
    const image = { url: files.serve(Buffer.alloc(0)), mimetype: 'image/png' };
    const body = { type: 'image', text, image };
    expect(await writing.scene.gateway.http.request('POST', '/status', { headers, body })).toMatchObject(anotherBody);
  });

  it('[MS7] while the first is on its way: both get its answer', async () => {
    const body = { user: bob, text: newText() };
    await fault({ error: 'FLOOD_WAIT_5' });
    const before = await calls('messages.sendMessage');
    const first = post('at once', body);
    await arrivals('messages.sendMessage', before);
    const others = [post('at once', body), post('at once', body)];
    expect(await post('at once', { ...body, text: 'other' })).toMatchObject(anotherBody);
    const answers = await writing.scene.whilePassing(Promise.all([first, ...others]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body: answer }) => answer['messageId'])).size).toBe(1);
    expect(await timesSeen(body.text, bob)).toBe(1);
  });

  it('[MS7] is one session’s own', async () => {
    const other = await writing.scene.connected('1003');
    const text = newText();
    expect(await post('shared', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await post('shared', { user: ann, text }, other)).toMatchObject({ status: 200 });
    expect([await timesSeen(text, bob), await timesSeen(text, ann, '1003')]).toEqual([1, 1]);
    await writing.scene.request(other, 'DELETE', '/session');
  });

  it('[MS7] fifty keys, each asked twice at once: fifty messages', async () => {
    const texts = Array.from({ length: 50 }, newText);
    const twice = [...texts, ...texts];
    const answers = await Promise.all(twice.map((text) => post(`many ${text}`, { user: bob, text })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = answers.map(({ body }) => body['messageId']);
    expect(ids.slice(0, 50)).toEqual(ids.slice(50));
    const found = (await seen(bob, ann, 1000)).filter(({ text }) => texts.includes(text));
    expect(new Map(found.map(({ id, text }) => [text, String(id)]))).toEqual(
      new Map(texts.map((text, index) => [text, ids[index]])),
    );
    expect(found).toHaveLength(50);
  });

  it('[MS7] after a restart: the same answer, without asking Telegram', async () => {
    const body = { user: bob, text: newText() };
    const first = await post('restart', body);
    await restart();
    const sent = await calls('messages.sendMessage');
    expect(await post('restart', body)).toMatchObject({ status: 200, body: first.body });
    expect(await post('restart', { ...body, text: 'x' })).toMatchObject(anotherBody);
    expect(await calls('messages.sendMessage')).toBe(sent);
  });

  it('[MS7] a day later is another message', async () => {
    const text = newText();
    expect(await post('day', { user: bob, text })).toMatchObject({ status: 200 });
    // Time that the gateway is down for costs no session its connection.
    await writing.scene.restart({ clock: createDrivenClock({ startAt: writing.scene.clock.now() + 24 * hour }) });
    await writing.scene.read(writing.caller, (session) => session.isConnected);
    expect(await post('day', { user: bob, text })).toMatchObject({ status: 200 });
    await restart();
    expect(await timesSeen(text, bob)).toBe(2);
  });

  it('[MS7] of more than 128 characters is refused; an empty one is none', async () => {
    const text = newText();
    expect(await post('k'.repeat(129), { user: bob, text })).toMatchObject(
      refused(400, 'idempotency-key must have at most 128 characters'),
    );
    expect(await timesSeen(text, bob)).toBe(0);
    expect(await post('k'.repeat(128), { user: bob, text })).toMatchObject({ status: 200 });
    expect(await post('', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await post('', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(3);
  });
});

describe('a failure', () => {
  it('[MS7] of Telegram’s: tried again under the same number, sent once', async () => {
    const body = { user: bob, text: newText() };
    await fault({ error: 'PEER_FLOOD' });
    expect(await post('failed', body)).toMatchObject(refused(500, '400: PEER_FLOOD (caused by messages.SendMessage)'));
    expect(await post('failed', { ...body, text: 'x' })).toMatchObject(anotherBody);
    const again = await post('failed', body);
    expect(again).toMatchObject({ status: 200 });
    expect(await post('failed', body)).toMatchObject({ status: 200, body: again.body });
    expect(await timesSeen(body.text, bob)).toBe(1);
  });

  it('[MS7] of the request leaves the key free', async () => {
    const text = newText();
    expect(await post('free', { user: bob, text: '' })).toMatchObject(refused(400, 'text should not be empty'));
    expect(await post('free', { text })).toMatchObject({ status: 400 });
    expect(await post('free', { username: 'nobody_at_all', text })).toMatchObject(refused(400, 'chat not found'));
    const image = { url: files.serve(Buffer.from('no picture')), mimetype: 'image/png' };
    expect(await post('free', { user: bob, type: 'image', image })).toMatchObject({ status: 500 });
    expect(await post('free', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
  });

  it('[MS7] of a file that breaks off while it is uploaded leaves the key free', async () => {
    const bytes = noise(2_000_000);
    const uploads = await calls('upload.saveFilePart');
    const url = files.serve((response) => {
      response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, -1));
      void arrivals('upload.saveFilePart', uploads).then(() => response.destroy());
    });
    const document = { url, name: 'a.bin', size: bytes.length, mimetype: 'application/octet-stream' };
    const message = `error parser file from url ${new URL(url).origin}: the connection was lost`;
    expect(await post('breaks off', { user: bob, type: 'document', document })).toMatchObject(refused(500, message));
    const text = newText();
    expect(await post('breaks off', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
  });

  it('[MS7] of an upload leaves the key free', async () => {
    await fault({ method: 'upload.saveFilePart', error: 'FILE_PART_INVALID' });
    const document = { url: files.serve(noise(9)), name: 'a.bin', size: 9, mimetype: 'application/octet-stream' };
    expect(await post('not uploaded', { user: bob, type: 'document', document })).toMatchObject(
      refused(500, '400: FILE_PART_INVALID (caused by upload.SaveFilePart)'),
    );
    expect(await post('not uploaded', { user: bob, text: newText() })).toMatchObject({ status: 200 });
  });

  it('[MS7] of Telegram’s to take a file: the same body is sent, once, another is refused', async () => {
    const text = newText();
    const document = { url: files.serve(noise(9)), name: 'a.bin', size: 9, mimetype: 'application/octet-stream' };
    const body = { user: bob, type: 'document', text, document };
    await fault({ method: 'messages.sendMedia', error: 'CHAT_WRITE_FORBIDDEN' });
    expect(await post('not taken', body)).toMatchObject({ status: 500 });
    expect(await post('not taken', { user: bob, text })).toMatchObject(anotherBody);
    expect(await post('not taken', body)).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
  });
});

describe('a crash', () => {
  const pdf = Buffer.from('%PDF-1.7 a page');

  /** Texts, and every fifth one a document. */
  const bodyOf = (index: number, text: string): object => {
    if (index % 5 !== 4) return { user: bob, text };
    const document = { url: files.serve(pdf), name: 'a.pdf', size: pdf.length, mimetype: 'application/pdf' };
    return { user: bob, type: 'document', text, document };
  };

  it(`[MS7] between sending and answering, ${crashes} times: the phone sees each message once`, async () => {
    const texts: string[] = [];
    const ids: unknown[] = [];
    let unanswered = 0;
    for (let index = 0; index < crashes; index++) {
      const text = newText();
      texts.push(text);
      const body = bodyOf(index, text);
      const method = index % 5 === 4 ? 'messages.sendMedia' : 'messages.sendMessage';
      // Every second one is taken by Telegram for sure, and never answered; the others die at any moment.
      const isTaken = index % 2 === 0;
      if (isTaken) await fault({ method, dropAnswer: true });
      const before = await calls(method);
      const sending = post(`crash ${index}`, body).catch(() => undefined);
      if (isTaken) await arrivals(method, before);
      else for (let turn = 0; turn < index; turn++) await new Promise((resolve) => void setImmediate(resolve));
      await restart();
      if ((await sending) === undefined) unanswered += 1;
      await writing.scene.sandbox.call('DELETE', '/faults');
      const again = await writing.scene.whilePassing(post(`crash ${index}`, body));
      expect(again).toMatchObject({ status: 200 });
      ids.push(again.body['messageId']);
    }
    const sent = await seen(bob, ann, 1000);
    const found = texts.map((text) => sent.filter((message) => message.text === text).map(({ id }) => String(id)));
    expect(found).toEqual(ids.map((id) => [id]));
    const atBob = (await seen(ann, bob, 1000)).filter(({ text }: Seen) => texts.includes(text));
    expect(atBob).toHaveLength(crashes);
    expect(unanswered).toBeGreaterThan(crashes / 3);
  }, 300_000);
});

describe('two messages alike under different keys, whose answers are lost, and then a restart', () => {
  /** Both are at Telegram; nobody has been told. */
  const lose = async (bodies: [string, object][]): Promise<void> => {
    await fault({ dropAnswer: true, times: bodies.length });
    for (const [key, body] of bodies) {
      const before = await calls('messages.sendMessage');
      void post(key, body).catch(() => undefined);
      await arrivals('messages.sendMessage', before);
    }
    await restart();
    await writing.scene.sandbox.call('DELETE', '/faults');
  };

  /** What the keys are answered when they are asked again, and under which IDs the text is there, the older first. */
  const askAgain = async (
    keys: readonly string[],
    body: { text: string },
    chat: string,
  ): Promise<{ answered: unknown[]; there: string[] }> => {
    const answered: unknown[] = [];
    for (const key of keys) {
      const { status, body: answer } = await writing.scene.whilePassing(post(key, body));
      answered.push(status === 200 ? answer['messageId'] : answer);
    }
    const found = (await seen(chat, ann, 1000)).filter(({ text }) => text === body.text);
    return { answered, there: found.map(({ id }) => String(id)).toReversed() };
  };
  const chats: [string, object, string][] = [
    ['to a user', { user: bob }, bob],
    ['to a basic group', { group: '-2001' }, '-2001'],
    ['to a supergroup', { group: '-1003001' }, '-1003001'],
    ['to a channel', { channel: '-1004001' }, '-1004001'],
  ];

  it.each(chats)('[MS7] %s: each key gets its own, in whichever order they are asked', async (what, receiver, chat) => {
    const body = { ...receiver, text: newText() };
    const keys = ['first', 'second', 'third'].map((name) => `${name} twin ${what}`);
    await lose(keys.map((key) => [key, body]));
    const { answered, there } = await askAgain(keys.toReversed(), body, chat);
    expect(answered.toReversed()).toEqual(there);
  });

  it.each(chats.slice(2))(
    '[MS7] %s, of whose past Telegram tells nothing: by their order',
    async (what, receiver, chat) => {
      const body = { ...receiver, text: newText() };
      const keys = ['first', 'second'].map((name) => `${name} unnamed twin ${what}`);
      await lose(keys.map((key) => [key, body]));
      await fault({ method: 'updates.getChannelDifference', error: 'CHANNEL_PRIVATE', times: 99 });
      const { answered, there } = await askAgain(keys, body, chat);
      expect(answered).toEqual(there);
    },
  );

  it('[MS7] media: nothing is fetched or uploaded again, the file may be gone', async () => {
    let isGone = false;
    const url = files.serve((response) => void (isGone ? response.writeHead(404).end() : response.end(noise(9))));
    const document = { url, name: 'a.bin', size: 9, mimetype: 'application/octet-stream' };
    const body = { group: '-1003001', type: 'document', text: newText(), document };
    const keys = ['first media twin', 'second media twin'];
    await fault({ method: 'messages.sendMedia', dropAnswer: true, times: 2 });
    for (const key of keys) {
      const before = await calls('messages.sendMedia');
      void post(key, body).catch(() => undefined);
      await arrivals('messages.sendMedia', before);
    }
    await restart();
    isGone = true;
    const { answered, there } = await askAgain(keys, body, '-1003001');
    expect(answered).toEqual(there);
  });
});

describe('what is kept of it', () => {
  it.skipIf(onKurrentDb)('[SE11] says neither the key nor the message', async () => {
    const body = { user: bob, text: 'm4rk-of-a-message' };
    expect(await post('m4rk-of-a-key', body)).toMatchObject({ status: 200 });
    const folder = writing.scene.gateway.dataDir;
    const names = readdirSync(folder).filter((name) => name.startsWith('events.db'));
    const kept = names.map((name) => readFileSync(join(folder, name), 'latin1')).join('');
    expect(kept).toContain(`send-${writing.caller.id}`);
    expect(kept).not.toContain('m4rk');
  });
});
