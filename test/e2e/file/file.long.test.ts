import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { sha256, useFiles } from '../../support/e2e/file-server.ts';
import { exchange } from '../../support/e2e/raw-http.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { type UploadBody, uploadTo } from '../../support/e2e/uploading.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `POST /file`, and messages with a file that was uploaded. */

const files = useFiles();
const writing = useWriting({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
const { seen, send } = writing;
const kept = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'uploads'));
const upload = (body: UploadBody, about: { name?: string; type?: string } = {}, caller: Caller = writing.caller) =>
  uploadTo(writing.scene, caller, body, about);
const sendDocument = (source: object, caller = writing.caller): Promise<Answer> => {
  const document = { name: 'report.bin', size: 5, mimetype: 'application/octet-stream', ...source };
  return writing.scene.request(caller, 'POST', '/message', { user: bob, type: 'document', document });
};
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
/** A request whose body the test writes byte by byte. */
function beginUpload(announced: number): Socket {
  const { hostname, port } = new URL(writing.scene.gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.add(socket);
  const { id, 'session-id': secret } = writing.caller.headers;
  socket.write(
    `POST /file HTTP/1.1\r\nhost: localhost\r\nid: ${id}\r\nsession-id: ${secret}\r\ncontent-length: ${announced}\r\n\r\n`,
  );
  return socket;
}

describe('a file that was uploaded', () => {
  it('[MX1.12] [MX1.14] arrives byte for byte, as often as it is sent', async () => {
    const bytes = noise(3_000_001);
    const { status, body } = await upload(bytes, { name: 'näme.pdf', type: 'application/pdf' });
    expect(status).toBe(200);
    const expires = new Date(writing.scene.clock.now() + 3_600_000).toISOString();
    expect(body).toEqual({ id: body.id, size: 3_000_001, name: 'näme.pdf', mimetype: 'application/pdf', expires });
    for (let time = 0; time < 2; time += 1) {
      expect(await sendDocument({ file: body.id })).toMatchObject({ status: 200 });
      const [message] = await seen(ann, bob, 1);
      expect(message?.media).toMatchObject({ kind: 'document', name: 'report.bin', sha256: sha256(bytes) });
    }
  });

  it('[MX1.12] has a name and a type without being told', async () => {
    const { body } = await upload(new Uint8Array([1, 2]));
    expect(body).toMatchObject({ size: 2, name: 'file', mimetype: 'application/octet-stream' });
    const tidy = await upload(new Uint8Array([1]), { name: '../up/../etc' });
    expect(tidy.body).toMatchObject({ name: '.._up_.._etc' });
  });

  it('[MX1.12] may be JSON, a form of a page, or of a type that nobody knows', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'x-own/x; y=z']) {
      const { body } = await upload('{"no": json', { type });
      expect(body).toMatchObject({ size: 11, mimetype: type });
    }
  });

  it('[MX1.10] [MX1.14] is an image or a video as one from a URL is', async () => {
    const png = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#2a5' } })
      .png()
      .toBuffer();
    const { body } = await upload(new Uint8Array(png), { type: 'image/png' });
    const image = { file: body.id, mimetype: 'image/png' };
    expect(await send({ user: bob, type: 'image', text: 'green', image })).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { kind: 'photo', width: 120, height: 80 } }]);
    const audio = { mimetype: 'audio/mpeg', duration: 3 };
    const song = await upload(noise(5_000), { name: 'song.mp3' });
    expect(await send({ user: bob, type: 'audio', audio: { file: song.body.id, ...audio } })).toMatchObject({
      status: 200,
    });
    expect(await seen(ann, bob, 1)).toMatchObject([{ media: { name: 'song.mp3', size: 5_000 } }]);
    const story = await writing.scene.request(writing.caller, 'POST', '/status', { type: 'image', image });
    expect(story).toMatchObject({ status: 200 });
  });

  it('[MX1.14] is found by its own session alone, and by its ID alone', async () => {
    const other = await writing.scene.connected(ann);
    const { body } = await upload('mine');
    for (const [caller, file] of [
      [other, body.id],
      [writing.caller, `../uploads/${body.id}`],
      [writing.caller, 'nothing'],
    ] as const) {
      expect(await sendDocument({ file }, caller)).toMatchObject(refused(400, 'file not found'));
    }
    expect(await sendDocument({ file: body.id })).toMatchObject({ status: 200 });
  });

  it('[MX1.14] is gone with its session', async () => {
    const other = await writing.scene.connected(ann);
    const before = kept();
    await upload('mine', {}, other);
    expect(kept()).toHaveLength(before.length + 1);
    const deleted = writing.scene.request(other, 'DELETE', '/session');
    expect(await writing.scene.whilePassing(deleted)).toMatchObject({ status: 200 });
    await expect.poll(kept).toEqual(before);
  });

  it('[MX1.13] that its sender breaks off leaves nothing behind', async () => {
    const before = kept();
    const socket = beginUpload(100);
    socket.write('some');
    await expect.poll(kept).toHaveLength(before.length + 1);
    socket.resetAndDestroy();
    await expect.poll(kept).toEqual(before);
  });

  it('[MX1.12] is refused without a session, and if it is empty or too long', async () => {
    const nobody = { ...writing.caller, headers: { ...writing.caller.headers, 'session-id': 'wrong' } };
    expect(await upload('x', {}, nobody)).toMatchObject(refused(404, 'session not found'));
    expect(await upload('')).toMatchObject(refused(400, 'file should not be empty'));
    const { id, 'session-id': secret } = writing.caller.headers;
    const head = `POST /file HTTP/1.1\r\nhost: localhost\r\nid: ${id}\r\nsession-id: ${secret}\r\n`;
    const tooLong = await exchange(writing.scene.gateway.url, `${head}content-length: 2097152001\r\n\r\nx`);
    expect(tooLong).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });
});

describe('bytes inside a request', () => {
  it('[MX1.11] arrive as they are, up to 10 MB', async () => {
    const bytes = noise(10_485_760);
    expect(await sendDocument({ data: bytes.toString('base64') })).toMatchObject({ status: 200 });
    expect((await seen(ann, bob, 1))[0]?.media).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
    const more = Buffer.alloc(10_485_761).toString('base64');
    const message = 'document.data must be smaller than or equal to 10485760 bytes';
    expect(await sendDocument({ data: more })).toMatchObject(refused(400, message));
  });

  it('[MX1.11] are no longer body than that, and only there', async () => {
    const long = 'x'.repeat(14_300_000);
    expect(await sendDocument({ data: long })).toMatchObject(refused(413, 'request body is too large'));
    const typing = writing.scene.request(writing.caller, 'POST', '/typing', { user: bob, x: 'x'.repeat(300_000) });
    expect(await typing).toMatchObject(refused(413, 'request body is too large'));
  });

  it('[MX1.11] [MS7.2] count for an Idempotency-Key as what they are', async () => {
    const sent = (text: string): Promise<Answer> => {
      const document = { data: Buffer.from(text).toString('base64'), name: 'a.txt', size: 5, mimetype: 'text/plain' };
      return writing.scene.gateway.http.request('POST', '/message', {
        headers: { ...writing.caller.headers, 'idempotency-key': 'inline' },
        body: { user: bob, type: 'document', document },
      });
    };
    const first = await sent('one');
    expect(first).toMatchObject({ status: 200 });
    expect((await sent('one')).body).toEqual(first.body);
    expect(await sent('two')).toMatchObject(refused(400, 'idempotency key was used with another body'));
  });

  it('[NB2.6] have room for two large bodies of a session, while others have theirs', async () => {
    const other = await writing.scene.connected(ann);
    const large = Buffer.alloc(10_000_000).toString('base64');
    // A file server that does not answer holds a send, and with it the body.
    const before = files.requests;
    const held = [1, 2].map(() => {
      const video = { data: large, mimetype: 'video/mp4', duration: 1, thumbnail: files.serve(() => {}) };
      const body = JSON.stringify({ user: bob, type: 'video', video });
      const sent = request(`${writing.scene.gateway.url}/message`, {
        method: 'POST',
        headers: { ...writing.caller.headers, 'content-type': 'application/json', 'content-length': body.length },
        agent: false,
      });
      sent.on('error', () => {});
      sent.end(body);
      return sent;
    });
    await expect.poll(() => files.requests).toBe(before + 2);
    const third = await sendDocument({ data: large });
    expect(third).toMatchObject(refused(429, 'too many files of this session are under way'));
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await sendDocument({ data: large }, other)).toMatchObject({ status: 200 });
    expect(await send({ user: bob, text: 'small' })).toMatchObject({ status: 200 });
    for (const sent of held) sent.destroy();
    await expect.poll(() => sendDocument({ data: large })).toMatchObject({ status: 200 });
  });
});
