import { describe, expect, it } from 'vitest';
import { useAdministering } from '../support/e2e/administering-scene.ts';
import { bob } from '../support/e2e/scene.ts';

/** Groups and channels under an `Idempotency-Key` over crashes between asking Telegram and answering: each is made once. */

const crashes = 20;
const on = useAdministering();
const { arrivals, ask, calls, fault, named } = on;

const kinds = [
  { path: '/group', fields: {}, method: 'messages.createChat', prefix: '-' },
  { path: '/group', fields: { kind: 'supergroup' }, method: 'channels.createChannel', prefix: '-100' },
  { path: '/channel', fields: {}, method: 'channels.createChannel', prefix: '-100' },
] as const;

async function restart(): Promise<void> {
  await on.scene.restart();
  await on.scene.whilePassing(on.scene.read(on.caller, (session) => session.isConnected));
}

describe('a crash', () => {
  it(`[GX1.2] between asking and answering, ${crashes} times: Telegram has each chat once`, async () => {
    let unanswered = 0;
    for (let index = 0; index < crashes; index++) {
      const { path, fields, method, prefix } = kinds[index % kinds.length] ?? kinds[0];
      const body = { name: `Crash ${index}`, users: [bob], ...fields };
      const headers = { 'idempotency-key': `crash ${index}` };
      // Every second one is taken by Telegram for sure, and never answered; the others die at any moment.
      const isTaken = index % 2 === 0;
      if (isTaken) await fault({ method, dropAnswer: true });
      const before = await calls(method);
      const asking = ask('POST', path, body, headers).catch(() => undefined);
      if (isTaken) await arrivals(method, before);
      else for (let turn = 0; turn < index * 2; turn++) await new Promise((resolve) => void setImmediate(resolve));
      await restart();
      if ((await asking) === undefined) unanswered += 1;
      await on.scene.sandbox.call('DELETE', '/faults');
      const again = await on.scene.whilePassing(ask('POST', path, body, headers));
      expect({ index, status: again.status, body: again.body }).toMatchObject({
        index,
        status: 200,
        body: { missing: [] },
      });
      const made = named(body.name);
      expect({ index, made: made.map(({ id }) => `${prefix}${id}`) }).toEqual({
        index,
        made: [again.body['groupId'] ?? again.body['channelId']],
      });
      expect(Object.keys(made[0]?.members ?? {})).toContain(bob);
      // The answer is recorded now.
      expect((await ask('POST', path, body, headers)).body).toEqual(again.body);
    }
    expect(unanswered).toBeGreaterThan(crashes / 3);
  });
});
