import { afterEach, beforeEach, expect, it } from 'vitest';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { OperatorsWorld } from '../../../support/webhook/operators-world.ts';

const sessions = 1_000;
/** Of each session, beside its login. */
const rounds = 5;

let world: OperatorsWorld;
beforeEach(async () => {
  world = await new OperatorsWorld().begin();
});
afterEach(() => world.end());

it('[EV2.6] of 1,000 sessions, 10,000 events come once each and in order, beside a receiver that never answers', async () => {
  world.behaviour = (response, { path }) => {
    if (path !== '/hook/dead') response.end();
  };
  await world.add('/dead');
  await world.add('/ops');
  const ids: string[] = [];
  for (let count = 0; count < sessions; count += 1) {
    const { id } = await world.sessions.create({});
    await world.links.of(id).report(linkFact('LoggedIn', 1));
    ids.push(id);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const id of ids) await world.links.of(id).report(linkFact('ConnectionLost', 1));
    for (const id of ids) if (round < rounds) await world.links.of(id).report(linkFact('ConnectionRestored', 1));
  }
  const expected = sessions * rounds * 2;
  // No time passes for them.
  while (world.at('/ops').length < expected) await world.settle();
  const received = world.at('/ops');
  expect(received).toHaveLength(expected);
  expect(new Set(received.map(({ id }) => id)).size).toBe(expected);
  const last = new Map<string, number>();
  for (const { session, seq, previous } of received) {
    expect(previous).toBe(last.get(session.id) ?? 0);
    last.set(session.id, seq);
  }
  expect(last.size).toBe(sessions);
});
