import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, openDesk } from '../support/chatwoot/desk.ts';
import type { ApiFault, WebhookMode } from '../support/chatwoot/stand-in.ts';
import { killsOr, withKillSeed } from '../support/crash/killing.ts';

/** `kill -9` of the Chatwoot bridge at random moments, with a Chatwoot that fails, hangs up and repeats itself. */

const kills = killsOr(8);
const messagesBetween = 4;
/** The bridge works on a message for some tens of milliseconds. */
const maxMomentMs = 400;
const faults: ApiFault[] = [500, 502, 'hang up', 'hang up when done', 'hang up when done'];
const modes: WebhookMode[] = ['once', 'twice', 'never'];

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(async () => {
  await desk?.close();
});

it('[CW2.1] [CW2.2] [CW2.3] over kill -9 of the bridge every message arrives once, in order, both ways', () =>
  withKillSeed(async (chance) => {
    const pick = <T>(choices: readonly T[]): T => choices[Math.floor(chance() * choices.length)] as T;
    const fromBob: string[] = [];
    const fromAgent: string[] = [];
    await desk.bobWrites({ text: 'the first' });
    await expect.poll(() => desk.chatwoot.conversations.length).toBe(1);
    for (let kill = 0; kill < kills; kill += 1) {
      for (let count = 0; count < messagesBetween; count += 1) {
        if (chance() < 0.5) desk.chatwoot.faults.push(pick(faults));
        desk.chatwoot.webhooks = pick(modes);
        fromBob.push(`bob ${fromBob.length}`);
        await desk.bobWrites({ text: fromBob.at(-1) ?? '', ...(chance() < 0.2 ? { media: { kind: 'photo' } } : {}) });
        fromAgent.push(`agent ${fromAgent.length}`);
        desk.chatwoot.write(fromAgent.at(-1) ?? '');
      }
      await pause(chance() * maxMomentMs);
      await desk.end('SIGKILL');
      await desk.start();
    }
    desk.chatwoot.webhooks = 'once';
    desk.chatwoot.faults.length = 0;
    await desk.bobWrites({ text: 'bob ends' });
    await expect.poll(() => inChatwoot().includes('bob ends')).toBe(true);
    desk.chatwoot.write('agent ends');
    await expect.poll(async () => (await onPhone()).includes('agent ends')).toBe(true);
    expect(inChatwoot()).toEqual(['the first', ...fromBob, 'bob ends']);
    expect(await onPhone()).toEqual([...fromAgent, 'agent ends']);
    expect(desk.chatwoot.contacts).toHaveLength(1);
    expect(desk.chatwoot.conversations).toHaveLength(1);
  }));

const inChatwoot = (): string[] =>
  desk.chatwoot.messages.filter(({ type }) => type === 0).map(({ content }) => content);
const onPhone = async (): Promise<string[]> =>
  (await desk.bobReads()).filter(({ out }) => !out).map(({ text }) => text);
