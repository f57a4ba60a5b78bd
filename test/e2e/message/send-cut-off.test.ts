import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { createGate } from '../../support/kit/gate.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `POST /message` whose files take too long, for the interface or for the caller. */

const second = 1000;
const files = useFiles();
const writing = useWriting(reachable);
const { arrivals, calls, fault, newText, seen, send, timesSeen } = writing;

const documentAt = (url: string): object => {
  const document = { url, name: 'a.bin', size: 5, mimetype: 'application/octet-stream' };
  return { user: bob, type: 'document', document };
};
/** Files that are on their way. */
const left = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'tmp'));

describe('a send that takes too long', () => {
  interface Dripping {
    url: string;
    /** The next byte. */
    drop(): void;
    /** The rest. */
    end(): void;
    /** The gateway has asked for it. */
    asked: Promise<void>;
    /** The gateway has let go of it. */
    gone: Promise<void>;
  }

  /** A file that comes in drops, each when the test says so. */
  function dripping(content = Buffer.alloc(200)): Dripping {
    const [asked, gone] = [createGate(), createGate()];
    let response: ServerResponse | undefined;
    let sent = 0;
    const drop = (): void => void response?.write(content.subarray(sent, (sent += 1)));
    const url = files.serve((given) => {
      response = given;
      given.on('close', () => gone.open());
      drop();
      asked.open();
    });
    return { url, drop, end: () => void response?.end(content.subarray(sent)), asked: asked.passed, gone: gone.passed };
  }
  const drip = async (file: Dripping, seconds: number): Promise<void> => {
    await file.asked;
    for (let passed = 0; passed < seconds; passed += 5) {
      file.drop();
      await writing.scene.pass(5 * second);
    }
  };

  it('[MS6.1] while files are fetched: cut off at 240 s, the fetching ends, and nothing arrives later', async () => {
    const before = await calls('messages.sendMedia');
    const white = sharp({ create: { width: 90, height: 90, channels: 3, background: '#ffffff' } });
    const [picture, film] = [dripping(await white.png().toBuffer()), dripping()];
    let isAnswered = false;
    const video = { url: film.url, thumbnail: picture.url, mimetype: 'video/mp4', duration: 5 };
    const sending = send({ user: bob, type: 'video', video }).finally(() => void (isAnswered = true));
    await drip(picture, 100);
    picture.end();
    await drip(film, 135);
    expect(isAnswered).toBe(false);
    await writing.scene.pass(5 * second);
    expect(await sending).toMatchObject(refused(500, 'send timeout after 240s'));
    await film.gone;
    await writing.scene.pass(60 * second);
    await expect.poll(left).toEqual([]);
    expect(await calls('messages.sendMedia')).toBe(before);
  });

  it('[MS6.1] while it is uploaded: cut off at 240 s, the upload stops, and nothing arrives later', async () => {
    const [uploads, sends] = [await calls('upload.saveFilePart'), await calls('messages.sendMedia')];
    await fault({ method: 'upload.saveFilePart', error: 'FLOOD_WAIT_59', times: 999 });
    const text = newText();
    const sending = send({ ...documentAt(files.serve(noise(3_000_000))), text });
    await arrivals('upload.saveFilePart', uploads);
    expect(await writing.scene.whilePassing(sending)).toMatchObject(refused(500, 'send timeout after 240s'));
    await writing.scene.sandbox.call('DELETE', '/faults');
    const uploaded = await calls('upload.saveFilePart');
    await writing.scene.pass(120 * second);
    expect(await calls('upload.saveFilePart')).toBe(uploaded);
    expect(await calls('messages.sendMedia')).toBe(sends);
    expect(await timesSeen(text, bob)).toBe(0);
    await expect.poll(left).toEqual([]);
  });

  it.each([
    ['[SE3.2] for a session that is deleted', 'DELETE', '/session', refused(404, 'session not found')],
    ['[SE2.3] for a session that is reset', 'POST', '/session/reset', refused(500, 'session not connected')],
  ])('%s: ended at once, with and without a key', async (_, method, path, expected) => {
    const { scene } = writing;
    const caller = await scene.connected(ann);
    const sendOf = async (headers: object): Promise<{ answer: Promise<Answer>; file: Dripping }> => {
      const file = dripping();
      const answer = scene.gateway.http.request('POST', '/message', {
        headers: { ...caller.headers, ...headers },
        body: documentAt(file.url),
      });
      await file.asked;
      return { answer, file };
    };
    const sends = [await sendOf({}), await sendOf({ 'idempotency-key': 'once' })];
    expect(await scene.request(caller, method, path)).toMatchObject({ status: 200 });
    for (const { answer, file } of sends) {
      expect(await answer).toMatchObject(expected);
      await file.gone;
    }
    await expect.poll(left).toEqual([]);
  });

  it('[MS8.2] for its caller, who leaves: the fetching ends, and nothing is sent', async () => {
    const before = await calls('messages.sendMedia');
    const file = dripping();
    const leaving = new AbortController();
    const sending = postWith({}, file.url, leaving.signal);
    await file.asked;
    leaving.abort();
    await expect(sending).rejects.toThrow('aborted');
    await file.gone;
    await expect.poll(left).toEqual([]);
    expect(await calls('messages.sendMedia')).toBe(before);
  });

  it('[MS7.1] [MS8.2] for its caller, who leaves and has a key: it goes on, and the answer is there for who comes back', async () => {
    const file = dripping();
    const leaving = new AbortController();
    const key = { 'idempotency-key': 'comes back' };
    const sending = postWith(key, file.url, leaving.signal);
    await file.asked;
    leaving.abort();
    await expect(sending).rejects.toThrow('aborted');
    const again = postWith(key, file.url);
    file.end();
    const response = await again;
    expect(response.status).toBe(200);
    const [message] = await seen(bob, ann, 1);
    expect(await response.json()).toEqual({ messageId: String(message?.id) });
  });

  function postWith(headers: Record<string, string>, url: string, signal?: AbortSignal): Promise<Response> {
    return fetch(`${writing.scene.gateway.url}/message`, {
      method: 'POST',
      headers: { ...writing.caller.headers, ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(documentAt(url)),
      ...(signal && { signal }),
    });
  }
});
