import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { killsOr, useKilling, withKillSeed } from '../support/crash/killing.ts';
import { loggedIn } from '../support/crash/writing-people.ts';
import { type Answer, type HttpClient, httpClient } from '../support/gateway/gateway.ts';
import { mostInAnyMinute } from '../support/messaging/pace-world.ts';

/** The pace of an account over `kill -9` of the real program, in real time. */

const kills = killsOr(2);
const perMinute = 20;
const callers = 10;
const sends = perMinute + 15;
const ann = '1001';
const bob = '1002';

interface SendCall {
  params: { message: string };
  /** Milliseconds since 1970. */
  time: number;
}

const killing = useKilling();

it('[OS7.2] no minute has more messages than the pace allows, over kill -9, and each message arrives once', () =>
  withKillSeed(async (chance) => {
    let gateway = killing.prepare();
    let http: HttpClient = httpClient(await gateway.run());
    const headers = await loggedIn(killing.sandbox, http);
    await http.request('PATCH', '/session', { headers, body: { pace: { perMinute } } });

    const work = { next: 0, answered: 0 };
    const send = async (text: string): Promise<void> => {
      for (;;) {
        const body = { user: bob, type: 'text', text };
        const answer: Answer | undefined = await http
          .request('POST', '/message', { headers: { ...headers, 'idempotency-key': text }, body })
          .catch(() => undefined);
        if (answer?.status === 200) return;
        const seconds = Number(answer?.headers.get('retry-after') ?? 0.2);
        await pause(seconds * 1000);
      }
    };
    const caller = async (): Promise<void> => {
      while (work.next < sends) {
        await send(`paced ${(work.next += 1)}`);
        work.answered += 1;
      }
    };
    /** When Telegram got each message: a repeated call of it is no other one. */
    const arrivals = async (): Promise<number[]> => {
      const times = new Map<string, number>();
      const calls = await killing.sandbox.call<SendCall[]>('GET', '/calls?method=messages.sendMessage');
      for (const { params, time } of calls)
        times.set(params.message, Math.min(time, times.get(params.message) ?? time));
      return [...times.values()];
    };
    const all = Promise.all(Array.from({ length: callers }, caller));
    const killsAt = Array.from({ length: kills }, (_kill, place) =>
      Math.floor(((place + chance()) * perMinute) / kills),
    );
    while (work.answered < sends) {
      const killAt = killsAt[0] ?? Infinity;
      if ((await arrivals()).length >= killAt) {
        killsAt.shift();
        const following = killing.prepare();
        await killing.kill(gateway);
        gateway = following;
        http = httpClient(await gateway.run());
      }
      await pause(20);
    }
    await all;
    expect(killsAt).toEqual([]);
    const times = await arrivals();
    expect(times).toHaveLength(sends);
    expect(mostInAnyMinute(times)).toBeLessThanOrEqual(perMinute);
    const path = `/accounts/${ann}/messages?peer=${bob}&limit=100`;
    const texts = (await killing.sandbox.call<{ text: string }[]>('GET', path)).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith('paced'))).toHaveLength(sends);
    await killing.kill(gateway);
  }));
