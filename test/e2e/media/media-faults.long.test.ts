import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bob } from '../../support/e2e/scene.ts';
import { chunk, daily, errorOf, useViewing, type Viewed } from '../../support/e2e/viewing-scene.ts';

/** Media links where Telegram makes trouble, or is away; and what is kept for that. */

const minute = 60_000;
const viewing = useViewing();
const { calls, fault, original, path, post, view } = viewing;

/** A video of two and a half chunks that nobody has viewed yet. */
const newVideo = async (): Promise<{ id: number; link: string; bytes: Buffer }> => {
  const id = await post(bob, { kind: 'video', size: 2.5 * chunk });
  return { id, link: path(bob, id, 'file', 'mp4'), bytes: await original(bob, id) };
};

const told = (viewed: Viewed): unknown => ({
  error: errorOf(viewed),
  retryAfter: viewed.headers['retry-after'],
});
const notConnected = { error: { statusCode: 500, message: 'session not connected' }, retryAfter: undefined };

/** Telegram is out of reach, and the session knows. */
async function disconnect(): Promise<void> {
  const { caller, scene } = viewing;
  await scene.sandbox.call('POST', '/network', { action: 'refuse' });
  await scene.sandbox.call('POST', '/network', { action: 'cut' });
  await scene.whilePassing(scene.read(caller, (session) => !session.isConnected));
}

async function reconnect(): Promise<void> {
  const { caller, scene } = viewing;
  await scene.sandbox.call('POST', '/network', { action: 'accept' });
  await scene.whilePassing(scene.read(caller, (session) => session.isConnected));
}

describe('references and data centres', () => {
  it('[ME5.1] an expired reference is renewed, unseen by the viewer', async () => {
    const { link, bytes } = await newVideo();
    expect(await view(link, { range: 'bytes=0-9' })).toMatchObject({ status: 206 });
    await fault({ method: 'upload.getFile', error: 'FILE_REFERENCE_EXPIRED', times: 2 });
    const shown = await view(link);
    expect(shown.status).toBe(200);
    expect(shown.bytes.equals(bytes)).toBe(true);
  });

  it('[ME5.1] references that expire while a file is viewed', async () => {
    const { link, bytes } = await newVideo();
    const response = await fetch(viewing.scene.gateway.url + link);
    await viewing.scene.sandbox.call('POST', '/chaos', { expireFileReferences: true });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await calls('upload.getFile')).some(({ error }) => error?.includes('FILE_REFERENCE_EXPIRED'))).toBe(true);
  });

  it('[ME5.1] a message that goes while its reference is renewed', async () => {
    const { id, link } = await newVideo();
    await fault({ method: 'upload.getFile', error: 'FILE_REFERENCE_EXPIRED' });
    await fault({ method: 'messages.getMessages', delayMs: 1 });
    const shown = view(link);
    await viewing.scene.sandbox.call('DELETE', `/accounts/1001/messages/${bob}/${id}`);
    expect((await shown).status).toBe(404);
  });

  it('[ME5.1] a file that has moved to another data centre', async () => {
    const id = await post(bob, { kind: 'video', size: 2 * chunk, dc: 5 });
    await fault({ method: 'upload.getFile', error: 'FILE_MIGRATE_5', code: 303 });
    const shown = await view(path(bob, id, 'file', 'mp4'));
    expect(shown.bytes.equals(await original(bob, id))).toBe(true);
  });

  it('[ME5.1] an error of Telegram’s own is passed on, and the next viewer gets the file', async () => {
    const { link, bytes } = await newVideo();
    await fault({ method: 'upload.getFile', error: 'TAKEOUT_REQUIRED', code: 400 });
    expect(told(await view(link))).toEqual({
      error: { statusCode: 500, message: '400: TAKEOUT_REQUIRED (caused by upload.GetFile)' },
      retryAfter: undefined,
    });
    expect((await view(link)).bytes.equals(bytes)).toBe(true);
  });
});

describe('waits', () => {
  const waiting = (seconds: number): unknown => ({
    error: { statusCode: 503, message: `telegram asked to wait ${seconds}s` },
    retryAfter: String(seconds),
  });

  it('[ME4.3] Telegram asks to wait, for the message or for the file: so is the viewer', async () => {
    const { link } = await newVideo();
    for (const method of ['messages.getMessages', 'upload.getFile']) {
      for (const seconds of [120, 7]) {
        await fault({ method, error: `FLOOD_WAIT_${seconds}`, code: 420 });
        expect(told(await view(link))).toEqual(waiting(seconds));
        await viewing.scene.pass(seconds * 1_000);
      }
    }
    expect(await view(link)).toMatchObject({ status: 200 });
  });

  it('[ME4.3] a wait of moments is waited out', async () => {
    const { link, bytes } = await newVideo();
    await fault({ method: 'upload.getFile', error: 'FLOOD_WAIT_2', code: 420 });
    const shown = await viewing.scene.whilePassing(view(link));
    expect(shown.bytes.equals(bytes)).toBe(true);
  });

  it.each(['messages.getMessages', 'upload.getFile'])('[ME4.3] no answer to %s for 30 s', async (method) => {
    const { link, bytes } = await newVideo();
    await fault({ method, dropAnswer: true, times: 1000 });
    const before = viewing.scene.clock.now();
    const shown = await viewing.scene.whilePassing(view(link));
    expect(told(shown)).toEqual({
      error: { statusCode: 503, message: 'telegram did not answer the media request in time' },
      retryAfter: '10',
    });
    const passed = viewing.scene.clock.now() - before;
    expect(passed).toBeGreaterThanOrEqual(30_000);
    expect(passed).toBeLessThan(35_000);
    await viewing.scene.sandbox.call('DELETE', '/faults');
    expect((await viewing.scene.whilePassing(view(link))).bytes.equals(bytes)).toBe(true);
  });

  it('[ME4.4] Telegram asks to wait in the middle of a file: the viewer waits, and gets all of it', async () => {
    const { link, bytes } = await newVideo();
    const response = await fetch(viewing.scene.gateway.url + link);
    await fault({ method: 'upload.getFile', error: 'FLOOD_PREMIUM_WAIT_5', code: 420, times: 3 });
    const read = viewing.scene.whilePassing(response.arrayBuffer());
    expect(Buffer.from(await read).equals(bytes)).toBe(true);
    expect((await calls('upload.getFile')).at(-1)?.error).toBeUndefined();
  });

  it('[ME4.4] waits for the message and for the file, of the 30 s that a chunk may take', async () => {
    const { link, bytes } = await newVideo();
    const response = await fetch(viewing.scene.gateway.url + link);
    await viewing.scene.sandbox.call('POST', '/chaos', { expireFileReferences: true });
    await fault({ method: 'messages.getMessages', error: 'FLOOD_WAIT_20', code: 420 });
    const read = viewing.scene.whilePassing(response.arrayBuffer());
    expect(Buffer.from(await read).equals(bytes)).toBe(true);
  });

  it('[ME4.4] Telegram asks to wait for too long in the middle of a file: the viewer sees that it is not whole', async () => {
    const { link } = await newVideo();
    const response = await fetch(viewing.scene.gateway.url + link);
    expect(response.status).toBe(200);
    await fault({ method: 'upload.getFile', error: 'FLOOD_WAIT_120', code: 420, times: 1000 });
    const read = response.arrayBuffer().then(
      (bytes) => bytes.byteLength,
      () => 'broken off',
    );
    // The second chunk may have been on its way by then, the third was not.
    expect(await read).toBe('broken off');
    await viewing.scene.pass(120_000);
  });
});

describe('what is kept', () => {
  it('[ME4.3] is shown where Telegram asks to wait, says nothing, or is out of reach', async () => {
    const { link, bytes } = await newVideo();
    const other = await newVideo();
    await view(link);
    await view(other.link, { range: `bytes=0-${chunk}` });
    await fault({ method: 'messages.getMessages', error: 'FLOOD_WAIT_120', code: 420, times: 2 });
    expect((await view(link)).bytes.equals(bytes)).toBe(true);
    expect(await view(other.link)).toMatchObject({ status: 503, headers: { 'retry-after': '120' } });
    await fault({ method: 'messages.getMessages', dropAnswer: true });
    const shown = await viewing.scene.whilePassing(view(link));
    expect(shown.bytes.equals(bytes)).toBe(true);

    await disconnect();
    const fetched = (await calls('upload.getFile')).length;
    expect((await view(link)).bytes.equals(bytes)).toBe(true);
    expect((await view(link, { range: 'bytes=-7' })).bytes.equals(bytes.subarray(-7))).toBe(true);
    expect(await view(link, {}, 'HEAD')).toMatchObject({ status: 200 });
    // Two of its three chunks are here.
    expect(await view(other.link, { range: `bytes=5-${2 * chunk - 1}` })).toMatchObject({ status: 206 });
    expect(told(await view(other.link, { range: `bytes=5-${2 * chunk}` }))).toEqual(notConnected);
    expect(told(await view(other.link))).toEqual(notConnected);
    expect(await view(other.link, {}, 'HEAD')).toMatchObject({ status: 500 });
    const unseen = await newVideo();
    expect(told(await view(unseen.link))).toEqual(notConnected);
    expect((await calls('upload.getFile')).length).toBe(fetched);
    await reconnect();
    expect((await view(other.link)).bytes.equals(other.bytes)).toBe(true);
  });

  it('[ME4.2] is there after a restart, and gone an hour after it was last opened', async () => {
    const { scene } = viewing;
    const { link, bytes } = await newVideo();
    await view(link);
    await disconnect();
    await scene.restart();
    expect((await scene.whilePassing(view(link))).bytes.equals(bytes)).toBe(true);
    const openedAt = scene.clock.now();
    await reconnect();
    // A session that is disconnected for half an hour is deleted: time passes while it is connected.
    await scene.pass(openedAt + 59 * minute - scene.clock.now());
    await disconnect();
    expect((await view(link)).bytes.equals(bytes)).toBe(true);
    await reconnect();
    await scene.pass(61 * minute);
    await disconnect();
    expect(told(await view(link))).toEqual(notConnected);
    await reconnect();
  });

  it('[SE11.2] goes with the session', async () => {
    const { scene } = viewing;
    const { id } = await newVideo();
    const gone = await scene.connected();
    const made = path(bob, id, 'file', 'mp4', gone.id);
    expect(await view(made)).toMatchObject({ status: 200 });
    const folder = join(scene.gateway.dataDir, 'media-cache', gone.id);
    // Three chunks, and what the link means.
    // The folder is made with the first of them.
    const kept = (): Promise<string[]> => readdir(folder).catch(() => []);
    while ((await kept()).length < 4) await scene.clock.settle();
    await scene.request(gone, 'DELETE', '/session');
    const shown = await view(made);
    expect([shown.status, errorOf(shown)]).toEqual([404, { statusCode: 404, message: 'media not found' }]);
    while (existsSync(folder)) await scene.clock.advance(100);
  });

  it('[ME4.3] a session that is not back yet after a restart shows what is kept, and says so of the rest', async () => {
    const { scene } = viewing;
    const { link, bytes } = await newVideo();
    await view(link);
    await scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await scene.restart();
    expect((await view(link)).bytes.equals(bytes)).toBe(true);
    expect(told(await view(path(daily, 2, 'file', 'mp4')))).toEqual(notConnected);
  });
});
