import bigInt from 'big-integer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { Sandbox } from '../../../../../sandbox/sandbox.ts';
import { RateGate } from '../../../../../src/telegram/connection/rate-gate.ts';
import type { AskedWait } from '../../../../../src/telegram/connection/retry-after.ts';
import {
  type MtprotoConnection,
  openMtprotoConnection,
} from '../../../../../src/telegram/gramjs/connection/mtproto-connection.ts';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { FileConnections } from '../../../../../src/telegram/gramjs/files/file-connections.ts';
import { readLogin } from '../../../../../src/telegram/login/login-state.ts';
import { NotConnectedError, TelegramError } from '../../../../../src/telegram/port/errors.ts';
import { self } from '../../../../support/telegram/defect-scene.ts';
import { openScene, type Scene, until, watch } from '../../../../support/telegram/scene.ts';
import { Api } from '../../../../support/telegram/stock.ts';

/** A real signal warns of many listeners. */
const anyTime = new LightAbort();
let scene: Scene;
let sandbox: Sandbox;
let wire: MtprotoConnection;
let stop: AbortController;
let keys: Map<number, Buffer>;
let files: FileConnections;
const told = { keysChanged: 0, lost: [] as string[], waits: [] as AskedWait[] };

beforeEach(async () => {
  scene = await openScene();
  ({ sandbox } = scene);
  await scene.loggedIn('files', '1001');
  keys = readLogin(scene.logins.get('files') ?? '')?.keys ?? new Map<number, Buffer>();
  await scene.telegram.close();
  stop = new AbortController();
  wire = await openMtprotoConnection(scene.options, { dc: 2, key: keys.get(2) ?? Buffer.alloc(0) }, stop.signal);
  await wire.introduce(new Api.updates.GetState());
  Object.assign(told, { keysChanged: 0, lost: [], waits: [] });
  const call: RpcCall = (request) => wire.invoke(request);
  files = new FileConnections(
    scene.options,
    {
      login: { dc: 2, keys },
      call,
      keysChanged: () => (told.keysChanged += 1),
      loginLost: (reason) => told.lost.push(reason),
      frozen: () => undefined,
      moved: () => Promise.resolve(),
      gate: new RateGate(scene.clock),
      onWait: (asked) => told.waits.push(asked),
    },
    stop.signal,
  );
});
afterEach(async () => {
  stop.abort();
  wire.close();
  await scene.close();
});

const connections = (): number => sandbox.protocol.stats().connections;
const calls = async (method: string): Promise<number> =>
  (await scene.control<unknown[]>('GET', `/calls?method=${method}`)).length;
const part = (number: number): Api.upload.SaveFilePart =>
  new Api.upload.SaveFilePart({ fileId: bigInt(7), filePart: number, bytes: Buffer.alloc(1024, number) });

/** Lets time pass until it is over. */
async function settled(promise: Promise<unknown>): Promise<ReturnType<typeof watch>> {
  const seen = watch(promise);
  await until(async () => {
    await scene.live(1_000);
    return seen.settled !== 'no';
  });
  return seen;
}

describe.each([2, 4])('connections for files to data centre %i', (dc) => {
  it('[D8] are opened when they are needed, kept while they are used, and closed when they are not', async () => {
    expect(await files.call(dc, self(), anyTime)).toMatchObject([{ firstName: 'Ann' }]);
    expect(connections()).toBe(2);
    const handshakes = sandbox.protocol.stats().handshakes;
    await scene.live(50_000);
    await files.call(dc, self(), anyTime);
    await scene.live(50_000);
    await files.call(dc, self(), anyTime);
    expect(connections()).toBe(2);
    expect(sandbox.protocol.stats().handshakes).toBe(handshakes);
    await scene.live(60_000);
    await until(() => connections() === 1);
    await files.call(dc, self(), anyTime);
    expect(sandbox.protocol.stats().handshakes).toBe(handshakes);
  });

  it('[D8] are closed with their session', async () => {
    await files.call(dc, self(), anyTime);
    stop.abort();
    await until(() => connections() === 1);
    await expect(files.call(dc, self(), anyTime)).rejects.toThrow(NotConnectedError);
    expect(connections()).toBe(1);
    expect(scene.clock.armed()).toBe(0);
  });

  it('are few, however much is asked at once, and everybody gets an answer', async () => {
    await scene.control('POST', '/faults', { method: 'upload.saveFilePart', delayMs: 20, times: 40 });
    let most = 0;
    const saved = Array.from({ length: 40 }, async (_, number) => {
      const answer = await files.call(dc, part(number), anyTime);
      most = Math.max(most, connections());
      return answer;
    });
    expect(await Promise.all(saved)).toEqual(Array.from({ length: 40 }, () => true));
    expect(most).toBe(3);
  });

  it('are replaced when they break, and what was lost is asked again', async () => {
    await files.call(dc, self(), anyTime);
    await scene.control('POST', '/faults', { method: 'upload.saveFilePart', delayMs: 50, times: 3 });
    const before = await calls('upload.saveFilePart');
    const saving = Promise.all([0, 1, 2].map((number) => files.call(dc, part(number), anyTime)));
    await until(async () => (await calls('upload.saveFilePart')) > before);
    await scene.control('POST', '/network', { action: 'cut' });
    expect(await saving).toEqual([true, true, true]);
  });

  it('are replaced when they fall silent', async () => {
    await files.call(dc, self(), anyTime);
    await scene.control('POST', '/network', { action: 'blackhole' });
    const asking = watch(files.call(dc, self(), anyTime));
    await scene.clock.advance(20_000);
    await scene.control('POST', '/network', { action: 'accept' });
    await until(async () => {
      await scene.live(1_000);
      return asking.settled !== 'no';
    });
    expect(asking.error).toBeUndefined();
  });

  it('ask again where the answer alone was lost', async () => {
    await scene.control('POST', '/faults', { method: 'upload.saveFilePart', dropAnswer: true, times: 2 });
    expect((await settled(files.call(dc, part(0), anyTime))).settled).toBe('resolved');
  });

  it('[SE9.3] take -404 in the open and twice on new connections for breaks, and no key is lost', async () => {
    await files.call(dc, self(), anyTime);
    const key = keys.get(dc);
    await scene.control('POST', '/chaos', { transportError: -404, times: 3 });
    expect((await settled(files.call(dc, self(), anyTime))).settled).toBe('resolved');
    expect(told.lost).toEqual([]);
    expect(keys.get(dc)).toEqual(key);
  });

  it('give up after a while', async () => {
    await scene.control('POST', '/network', { action: 'refuse' });
    expect((await settled(files.call(dc, self(), anyTime))).error).toBeInstanceOf(NotConnectedError);
  });

  it('[ER3.2] wait where they are asked to, under a minute, and say so', async () => {
    await scene.control('POST', '/faults', { method: 'users.getUsers', error: 'FLOOD_WAIT_40', code: 420 });
    expect((await settled(files.call(dc, self(), anyTime))).settled).toBe('resolved');
    await scene.control('POST', '/faults', { method: 'users.getUsers', error: 'FLOOD_WAIT_120', code: 420 });
    await expect(files.call(dc, self(), anyTime)).rejects.toThrow(TelegramError);
    expect(told.waits).toEqual([
      { request: 'users.GetUsers', seconds: 40, waited: true },
      { request: 'users.GetUsers', seconds: 120, waited: false },
    ]);
  });

  it('let go of who no longer waits', async () => {
    await scene.control('POST', '/faults', { method: 'upload.saveFilePart', dropAnswer: true, times: 20 });
    const late = new LightAbort();
    const all = Array.from({ length: 20 }, (_, number) => watch(files.call(dc, part(number), late)));
    await until(async () => (await calls('upload.saveFilePart')) >= 4);
    late.abort(new Error('enough'));
    await until(() => all.every(({ error }) => error === late.reason));
    await scene.control('DELETE', '/faults');
    expect(await files.call(dc, part(0), anyTime)).toBe(true);
    await scene.live(60_000);
    await until(() => connections() === 1);
  });
});

describe('a key of another data centre', () => {
  it('is made once, and kept', async () => {
    await Promise.all(Array.from({ length: 6 }, () => files.call(4, self(), anyTime)));
    expect(told.keysChanged).toBe(1);
    expect(new Set(keys.keys())).toEqual(new Set([2, 4]));
  });

  it.each([
    ['that is unknown to the server', () => keys.set(4, Buffer.alloc(256, 7))],
    [
      'that is nobody’s there',
      () => scene.control('POST', '/faults', { method: 'users.getUsers', error: 'AUTH_KEY_UNREGISTERED', code: 401 }),
    ],
  ])('%s is replaced', async (_, spoil) => {
    await files.call(4, new Api.help.GetNearestDc(), anyTime);
    await scene.live(60_000);
    await until(() => connections() === 1);
    await spoil();
    const asked = await settled(files.call(4, self(), anyTime));
    expect(asked.error).toBeUndefined();
    expect(told.lost).toEqual([]);
    expect(keys.get(4)).not.toEqual(Buffer.alloc(256, 7));
  });

  it('[SE9.1] that is the account’s own is not: the login is lost', async () => {
    await scene.control('POST', '/faults', { method: 'users.getUsers', error: 'SESSION_REVOKED', code: 401 });
    await expect(files.call(2, self(), anyTime)).rejects.toThrow(NotConnectedError);
    expect(told.lost).toEqual(['SESSION_REVOKED']);
  });
});
