import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { withGrowingFile } from '../../../../src/media/outgoing/growing-file.ts';
import type { PreparedMedia } from '../../../../src/media/outgoing/prepare.ts';
import type { OutgoingFile } from '../../../../src/telegram/port/outgoing.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { type MediaScene, startMediaScene } from '../../../support/media/scene.ts';
import { noise } from '../../../support/telegram/outgoing-files.ts';

/** Documents that are lent out while they are still being fetched. */

const bytes = noise(1_000);
let scene: MediaScene;
let stop: LightAbort;

beforeEach(async () => {
  scene = await startMediaScene();
  stop = new LightAbort();
});
afterEach(() => scene.close());

/** A file whose bytes come when the test says so; its size is announced. */
function inPieces(announced = bytes.length): { url: string; response: Promise<ServerResponse>; gone: Promise<void> } {
  const gone = createGate();
  let give: (response: ServerResponse) => void = () => undefined;
  const response = new Promise<ServerResponse>((resolve) => {
    give = resolve;
  });
  const url = scene.serve('file', (given) => {
    given.writeHead(200, { 'content-length': announced }).flushHeaders();
    given.on('close', () => gone.open());
    give(given);
  });
  return { url, response, gone: gone.passed };
}

function lend<T>(url: string, use: (file: OutgoingFile) => Promise<T>): Promise<T> {
  const request = { type: 'document', url, name: 'a.bin', mimetype: 'a/b' } as const;
  return scene.media.withPrepared(request, stop, ({ file }: PreparedMedia['document']) => use(file));
}

/** Whether a promise has settled, once everything that is under way has been given a while. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => void (settled = true),
    () => void (settled = true),
  );
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  return settled;
}

describe('a document whose size is announced', () => {
  it('[MS2.4] can be read as far as it has come, and ends only when it is whole', async () => {
    const file = inPieces();
    await lend(file.url, async ({ path, size, reach }) => {
      expect(size).toBe(1_000);
      const response = await file.response;
      response.write(bytes.subarray(0, 600));
      await reach?.(600, stop);
      expect((await readFile(path)).equals(bytes.subarray(0, 600))).toBe(true);
      const [more, all] = [reach?.(601, stop), reach?.(1_000, stop)];
      expect(await isSettled(Promise.race([more, all]))).toBe(false);
      response.end(bytes.subarray(600));
      await Promise.all([more, all]);
      expect((await readFile(path)).equals(bytes)).toBe(true);
      await reach?.(1_000, stop);
    });
  });

  it('[MS2.2] is refused if it is larger than the account may send', async () => {
    const file = inPieces();
    const request = { type: 'document', url: file.url, name: 'a.bin', mimetype: 'a/b' } as const;
    const never = (): Promise<void> => Promise.reject(new Error('it was lent out'));
    await expect(scene.media.withPrepared(request, stop, never, 999)).rejects.toThrow('it is larger than 999 bytes');
    await file.gone;
  });

  it('[MS2.4] and that ends early fails whoever waits for it, and whoever asks later', async () => {
    const file = inPieces();
    const reason = /^error parser file from url http:\/\/127\.0\.0\.1:\d+: the connection was lost$/;
    await lend(file.url, async ({ reach }) => {
      const waiting = reach?.(1_000, stop);
      const response = await file.response;
      response.write(bytes.subarray(0, 999), () => response.destroy());
      await expect(waiting).rejects.toThrow(reason);
      await expect(reach?.(10, stop)).rejects.toThrow(reason);
    });
  });

  it('[MS2.4] has its last byte only when it is certain that it is the file', async () => {
    const fail = createGate();
    const lent = withGrowingFile(
      async (_signal, onGrowth) => {
        onGrowth(1_000, 1_000);
        await fail.passed;
        throw new Error('not that file');
      },
      stop,
      async ({ reach }) => {
        await reach?.(999, stop);
        const all = reach?.(1_000, stop);
        fail.open();
        await all;
      },
    );
    await expect(lent).rejects.toThrow('not that file');
  });

  it('[MS2.4] is fetched no further when nobody wants it, and its user’s error is the one that counts', async () => {
    const file = inPieces();
    await expect(
      lend(file.url, async () => {
        throw new Error('Telegram says no');
      }),
    ).rejects.toThrow('Telegram says no');
    await file.gone;
  });

  it('[MS6.1] that is waited for when the send is cut off', async () => {
    const file = inPieces();
    await expect(
      lend(file.url, async ({ reach }) => {
        const part = new LightAbort();
        const given = reach?.(10, part);
        part.abort(new Error('this part alone'));
        await expect(given).rejects.toThrow('this part alone');
        const waiting = reach?.(10, new LightAbort());
        await file.response;
        stop.abort(new Error('cut off'));
        await waiting;
      }),
    ).rejects.toThrow('cut off');
    await file.gone;
  });
});

it('[MS2.4] a document of unknown size is lent out when it is there', async () => {
  const url = scene.serve('file', (response) => void response.write(bytes, () => response.end()));
  await lend(url, async ({ path, size, reach }) => {
    expect([size, reach]).toEqual([1_000, undefined]);
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });
});
