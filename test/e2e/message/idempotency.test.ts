import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useKeyed } from '../../support/e2e/keyed-messages.ts';
import { ann, bob, onKurrentDb } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `Idempotency-Key`: many requests, one message. */

const second = 1000;
const hour = 3600 * second;
const { files, writing, post, restart } = useKeyed();
const { arrivals, calls, fault, newText, seen, timesSeen } = writing;

const anotherBody = refused(400, 'idempotency key was used with another body');

describe('the same key', () => {
  it('[MS7.1] and the same body: the same answer, and one message', async () => {
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
  ])('[MS7.2] and another %s: 400, and no second message', async (what, change) => {
    const body = { user: bob, text: newText() };
    expect(await post(`other ${what}`, body)).toMatchObject({ status: 200 });
    const sent = await calls('messages.sendMessage');
    expect(await post(`other ${what}`, { ...body, ...change })).toMatchObject(anotherBody);
    expect(await calls('messages.sendMessage')).toBe(sent);
  });

  it('[MS7.2] for another endpoint is another body', async () => {
    const text = newText();
    expect(await post('endpoint', { user: bob, text })).toMatchObject({ status: 200 });
    const headers = { ...writing.caller.headers, 'idempotency-key': 'endpoint' };
    const image = { url: files.serve(Buffer.alloc(0)), mimetype: 'image/png' };
    const body = { type: 'image', text, image };
    expect(await writing.scene.gateway.http.request('POST', '/status', { headers, body })).toMatchObject(anotherBody);
  });

  it('[MS7.1] while the first is on its way: both get its answer', async () => {
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

  it('[MS7.1] is one session’s own', async () => {
    const other = await writing.scene.connected('1003');
    const text = newText();
    expect(await post('shared', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await post('shared', { user: ann, text }, other)).toMatchObject({ status: 200 });
    expect([await timesSeen(text, bob), await timesSeen(text, ann, '1003')]).toEqual([1, 1]);
    await writing.scene.request(other, 'DELETE', '/session');
  });

  it('[MS7.1] fifty keys, each asked twice at once: fifty messages', async () => {
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

  it('[MS7.1] after a restart: the same answer, without asking Telegram', async () => {
    const body = { user: bob, text: newText() };
    const first = await post('restart', body);
    await restart();
    const sent = await calls('messages.sendMessage');
    expect(await post('restart', body)).toMatchObject({ status: 200, body: first.body });
    expect(await post('restart', { ...body, text: 'x' })).toMatchObject(anotherBody);
    expect(await calls('messages.sendMessage')).toBe(sent);
  });

  it('[MS7.1] a day later is another message', async () => {
    const text = newText();
    expect(await post('day', { user: bob, text })).toMatchObject({ status: 200 });
    // Time that the gateway is down for costs no session its connection.
    await writing.scene.restart({ clock: createDrivenClock({ startAt: writing.scene.clock.now() + 24 * hour }) });
    await writing.scene.read(writing.caller, (session) => session.isConnected);
    expect(await post('day', { user: bob, text })).toMatchObject({ status: 200 });
    await restart();
    expect(await timesSeen(text, bob)).toBe(2);
  });

  it('[MS7.1] of more than 128 characters is refused; an empty one is none', async () => {
    const text = newText();
    expect(await post('k'.repeat(129), { user: bob, text })).toMatchObject(
      refused(400, 'idempotency-key must be shorter than or equal to 128 characters'),
    );
    expect(await timesSeen(text, bob)).toBe(0);
    expect(await post('k'.repeat(128), { user: bob, text })).toMatchObject({ status: 200 });
    expect(await post('', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await post('', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(3);
  });
});

describe('a failure', () => {
  it('[MS7.3] of Telegram’s: tried again under the same number, sent once', async () => {
    const body = { user: bob, text: newText() };
    await fault({ error: 'PEER_FLOOD' });
    expect(await post('failed', body)).toMatchObject(refused(500, '400: PEER_FLOOD (caused by messages.SendMessage)'));
    expect(await post('failed', { ...body, text: 'x' })).toMatchObject(anotherBody);
    const again = await post('failed', body);
    expect(again).toMatchObject({ status: 200 });
    expect(await post('failed', body)).toMatchObject({ status: 200, body: again.body });
    expect(await timesSeen(body.text, bob)).toBe(1);
  });

  it('[MS7.4] of the request leaves the key free', async () => {
    const text = newText();
    expect(await post('free', { user: bob, text: '' })).toMatchObject(refused(400, 'text should not be empty'));
    expect(await post('free', { text })).toMatchObject({ status: 400 });
    expect(await post('free', { username: 'nobody_at_all', text })).toMatchObject(refused(400, 'chat not found'));
    const image = { url: files.serve(Buffer.from('no picture')), mimetype: 'image/png' };
    expect(await post('free', { user: bob, type: 'image', image })).toMatchObject({ status: 500 });
    expect(await post('free', { user: bob, text })).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
  });

  it('[MS7.4] of a file that breaks off while it is uploaded leaves the key free', async () => {
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

  it('[MS7.4] of an upload leaves the key free', async () => {
    await fault({ method: 'upload.saveFilePart', error: 'FILE_PART_INVALID' });
    const document = { url: files.serve(noise(9)), name: 'a.bin', size: 9, mimetype: 'application/octet-stream' };
    expect(await post('not uploaded', { user: bob, type: 'document', document })).toMatchObject(
      refused(500, '400: FILE_PART_INVALID (caused by upload.SaveFilePart)'),
    );
    expect(await post('not uploaded', { user: bob, text: newText() })).toMatchObject({ status: 200 });
  });

  it('[MS7.3] of Telegram’s to take a file: the same body is sent, once, another is refused', async () => {
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

describe('what is kept of it', () => {
  it.skipIf(onKurrentDb)('[SE11.1] says neither the key nor the message', async () => {
    const body = { user: bob, text: 'm4rk-of-a-message' };
    expect(await post('m4rk-of-a-key', body)).toMatchObject({ status: 200 });
    const folder = writing.scene.gateway.dataDir;
    const names = readdirSync(folder).filter((name) => name.startsWith('events.db'));
    const kept = names.map((name) => readFileSync(join(folder, name), 'latin1')).join('');
    expect(kept).toContain(`send-${writing.caller.id}`);
    expect(kept).not.toContain('m4rk');
  });
});
