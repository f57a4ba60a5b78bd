import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { textAccount } from '../../../support/messaging/text-account.ts';

/** The pace of an account over HTTP; Telegram and the time are played. */

const minute = 60_001;

let gate: TestApp;
let headers: SessionHeaders;
let sent: string[];
let account: TelegramAccount;

beforeEach(async () => {
  gate = await startTestApp();
  sent = [];
  account = textAccount(sent);
  headers = await gate.session();
  await gate.connect(headers, account);
});
afterEach(() => gate.close());

type Called = Awaited<ReturnType<TestApp['call']>>;
const send = (text: string, key?: string): Promise<Called> =>
  gate.call('POST', '/message', {
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    body: { user: '1002', type: 'text', text },
  });
const setPace = (pace: object | null): Promise<Called> => gate.call('PATCH', '/session', { headers, body: { pace } });
const shown = async (): Promise<unknown> => (await gate.call('GET', '/session/pace', { headers })).body;

describe('a paced send', () => {
  it('[OS7.1] waits for its turn, and goes at once when the pace is turned off', async () => {
    await setPace({ perMinute: 1 });
    const answers = ['one', 'two', 'three'].map((text) => send(text));
    await gate.clock.settle();
    expect(sent).toEqual(['one']);
    await gate.clock.advance(minute);
    expect(sent).toEqual(['one', 'two']);
    await setPace(null);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('[OS7.3] is 429 if its turn is too far away', async () => {
    await setPace({ perMinute: 1 });
    const answers = ['one', 'two', 'three', 'four', 'five'].map((text) => send(text));
    await gate.clock.settle();
    const { status, body, headers: head } = await send('six');
    expect([status, head['retry-after']]).toEqual([429, '241']);
    expect(body['message']).toBe('the next turn of this account’s pace is in 241 seconds');
    await gate.clock.advance(240_000);
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200, 200, 200, 200, 429]);
  });

  it('[OS7.2] counts once, however often it is asked for with a key', async () => {
    await setPace({ perMinute: 2 });
    const first = await send('one', 'key');
    expect(await send('one', 'key')).toMatchObject({ status: 200, body: first.body });
    expect(await shown()).toMatchObject({ lastMinute: 1, waiting: 0 });
  });

  it('[OS7.5] shows since when, and until when', async () => {
    await setPace({ perMinute: 1, newChatsPerDay: 3 });
    await setPace({ perMinute: 1 });
    await send('one');
    await gate.clock.advance(10_000);
    void send('two');
    await gate.clock.settle();
    expect(await shown()).toEqual({
      id: headers.id,
      pace: { perMinute: 1 },
      waiting: 1,
      nextTurn: new Date(gate.clock.now() + 2 * minute - 10_000).toISOString(),
      lastMinute: 1,
      newChats: 0,
    });
    await gate.clock.advance(2 * minute);
  });

  it('[OS7.7] of one session waits for no other session', async () => {
    const other = await gate.session();
    await gate.connect(other, account);
    await setPace({ perMinute: 1 });
    const answers = [send('one'), send('two')];
    await gate.clock.settle();
    const body = { user: '1002', type: 'text', text: 'of the other' };
    expect((await gate.call('POST', '/message', { headers: other, body })).status).toBe(200);
    expect(sent).toEqual(['one', 'of the other']);
    await gate.clock.advance(minute);
    await Promise.all(answers);
  });
});
