import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Gateway } from '../../clients/typescript/src/index.ts';
import { killsOr, useKilling, withKillSeed } from '../support/crash/killing.ts';
import { ann } from '../support/crash/writing-people.ts';
import { freePort } from '../support/kit/web-server.ts';

/** The TypeScript client sends while the real program is killed with `kill -9`. */

const kills = killsOr(10);
const sends = 1_000;
/** At a time, as a busy program does. */
const inFlight = 16;
/** Sends that a gateway gets done, at most, before it is killed. */
const sendsALife = Math.floor(sends / (kills + 1));
const longestMomentMs = 300;
const peers = ['1002', '1003'];

let port = 0;
const killing = useKilling(() => ({ PORT: String(port) }));

it(
  `[TC1.10] ${sends} sends of the TypeScript client arrive once each, over ${kills} kills of the gateway`,
  () =>
    withKillSeed(async (chance) => {
      port = await freePort();
      let gateway = killing.prepare();
      const client = new Gateway({ baseUrl: await gateway.run(), retryForMs: 600_000 });
      const session = await client.createSession();
      await session.waitForLogin({ onQr: ({ link }) => killing.sandbox.scan(link, ann), pollMs: 50 });

      const progress = { begun: 0, done: 0 };
      const messageIds = new Map<string, string>();
      const sendNext = async (): Promise<void> => {
        while (progress.begun < sends) {
          const number = (progress.begun += 1);
          const text = `client ${number}`;
          const { messageId } = await session.send({ user: peers[number % peers.length] ?? '', type: 'text', text });
          messageIds.set(text, messageId);
          progress.done += 1;
        }
      };
      const sending = Promise.all(Array.from({ length: inFlight }, sendNext));
      for (let kill = 1; kill <= kills; kill += 1) {
        const next = killing.prepare();
        while (progress.done < kill * sendsALife) await pause(5);
        await pause(chance() * longestMomentMs);
        await killing.kill(gateway);
        gateway = next;
        await gateway.run();
      }
      await sending;

      const arrived: { id: number; text: string }[] = [];
      for (const peer of peers) {
        const path = `/accounts/${ann}/messages?peer=${peer}&limit=1000`;
        const messages = await killing.sandbox.call<typeof arrived>('GET', path);
        arrived.push(...messages.filter(({ text }) => text.startsWith('client ')));
      }
      const expected = Array.from({ length: sends }, (_send, index) => `client ${index + 1}`);
      // Nothing lost, nothing twice, and each answer names the message.
      expect(arrived.map(({ text }) => text).toSorted()).toEqual(expected.toSorted());
      expect(new Map(arrived.map(({ id, text }) => [text, String(id)]))).toEqual(messageIds);
    }),
  600_000,
);
