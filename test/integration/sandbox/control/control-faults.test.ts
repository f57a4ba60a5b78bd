import { describe, expect, it } from 'vitest';
import { refused, useSandbox } from '../../../support/sandbox/control-client.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

const on = useSandbox({ clock: { now: () => Date.UTC(2026, 5, 1) } });
const { get, post, remove } = on;

describe('faults and the call log', () => {
  it('faults hit the calls they name, and the log has no secrets', async () => {
    const client = await mtcuteClient(on.sandbox.protocol);
    await client.signInQr({ onUrlUpdated: (link) => void post('/qr/scan', { link, userId: 1001 }) });
    expect((await get('/accounts/1001/devices')).body).toMatchObject([{ dc: 2, apiId: 17349 }]);
    await post('/faults', { method: 'help.getNearestDc', error: 'FLOOD_WAIT_333', userId: 1002 });
    await client.call({ _: 'help.getNearestDc' });
    await post('/faults', { method: 'help.getNearestDc', error: 'SOME_ERROR', times: 2 });
    for (let time = 0; time < 2; time += 1) {
      await expect(client.call({ _: 'help.getNearestDc' })).rejects.toThrow('SOME_ERROR');
    }
    await client.call({ _: 'help.getNearestDc' });
    await post('/faults', { method: 'help.getNearestDc', error: 'SOME_ERROR', times: 9 });
    await remove('/faults');
    await client.call({ _: 'help.getNearestDc' });
    const { body: calls } = await get('/calls?method=help.getNearestDc');
    expect(calls.map(({ answer, error }: Record<string, string>) => answer ?? error)).toEqual([
      'nearestDc',
      '400 SOME_ERROR',
      '400 SOME_ERROR',
      'nearestDc',
      'nearestDc',
    ]);
    const text = JSON.stringify((await get('/calls')).body);
    expect(text).toContain('auth.exportLoginToken');
    expect(text).not.toContain((await get('/connection')).body.apiHash);
    expect((await get('/stats')).body).toMatchObject({ logins: 1, keys: expect.any(Number) });
    await remove('/accounts/1001/devices');
    expect((await get('/accounts/1001/devices')).body).toEqual([]);
    await client.destroy();
  });

  it('the clock can be moved ahead', async () => {
    const before = on.sandbox.world.now();
    const { body } = await post('/clock', { advanceMs: 90_000 });
    expect(Date.parse(body.now)).toBe((before + 90) * 1_000);
    expect(on.sandbox.world.now()).toBe(before + 90);
    await post('/reset');
    expect(on.sandbox.world.now()).toBe(before);
    expect((await post('/clock', { advanceMs: -1 })).status).toBe(400);
  });

  it('invalid requests are refused', async () => {
    expect(await post('/faults', { method: 'x' })).toEqual(
      refused(400, 'one of error, delayMs, dropAnswer is required'),
    );
    expect((await post('/network', { action: 'explode' })).status).toBe(400);
    expect((await post('/network', { action: 'cut', userId: '99' })).status).toBe(404);
    expect(await post('/network', { action: 'slowPong', address: '127.0.0.9' })).toEqual(
      refused(400, 'address goes with refuse, blackhole and accept'),
    );
    for (const action of ['refuse', 'blackhole', 'accept'])
      expect((await post('/network', { action, address: '127.0.0.9' })).status).toBe(200);
    expect((await get('/calls?since=yesterday')).status).toBe(400);
    for (const action of ['cut', 'refuse', 'blackhole', 'slowPong', 'forgetSessions', 'accept']) {
      expect((await post('/network', { action, userId: 1001 })).status).toBe(200);
    }
    const chaos = {
      batchAnswers: 0,
      loseUpdates: 0,
      expireFileReferences: true,
      badSalt: true,
      forgetKey: true,
      userId: 1001,
    };
    expect((await post('/chaos', chaos)).status).toBe(200);
    for (const more of [
      { transportError: -404, times: 2 },
      { unknownUpdate: 3 },
      { unknownUpdate: { shape: 'short' } },
    ]) {
      expect((await post('/chaos', more)).status).toBe(200);
    }
    for (const wrong of [{ transportError: -403 }, { unknownUpdate: { shape: 'long' } }, { stuckDifference: -1 }]) {
      expect((await post('/chaos', wrong)).status).toBe(400);
    }
  });
});
