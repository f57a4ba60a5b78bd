import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { defaultLeaseMs } from '../../../src/cluster/leases/lease-times.ts';
import { systemClock } from '../../../src/config/clock.ts';
import { noDamage } from '../../support/cluster/damage.ts';
import { Rig, type RigNode } from '../../support/cluster/rig.ts';
import { RigLoad } from '../../support/cluster/rig-load.ts';
import { createSeededRandomness } from '../../support/kit/clock.ts';
import { startSandboxProcess } from '../../support/sandbox/sandbox-process.ts';

const minuteMs = 60_000;
const given = process.env['CLUSTER_ROUNDS'];
const rounds = Number(given ?? 6);
const sessions = Number(process.env['CLUSTER_SESSIONS'] ?? 6);
const seed = Number(process.env['CLUSTER_SEED'] ?? Date.now() % 100_000);
const leaseMs = Number(process.env['CLUSTER_LEASE_SECONDS'] ?? defaultLeaseMs / 1_000) * 1_000;

/** Telegram is reset for a node, or says nothing more; in the last one the node is then told to end. */
const spells = ['kill', 'stand still', 'cut', 'end', 'no Telegram', 'silent Telegram', 'end without Telegram'] as const;
type Spell = (typeof spells)[number];

/** An end of a node that the store has only just come back to, or of one of the other version, is held to other bounds. */
type Takeover = Spell | 'end while not ready' | 'end of the other version';
/** Bounds of a takeover that are held in long runs, milliseconds (CL2.6, CL4.3). */
const maxTakeoverMs: Partial<Record<Takeover, number>> = {
  kill: leaseMs + 3_000,
  end: 1_500,
  'end without Telegram': 1_500,
  'end while not ready': 3_000,
};
const minSpellMs = 1_000;
const maxSpellMs = 40_000;
/** A node that is killed is started again so late at most: at once, or long after the others have taken over. */
const maxDeadMs = 5_000;

it(`[CL2.5] [CL3.4] [CL2.8] three gateways lose, double and disorder nothing in ${rounds} rounds of kills, pauses, cuts and ends`, {
  timeout: (rounds + 10) * 3 * minuteMs,
}, async () => {
  const random = createSeededRandomness(seed, systemClock);
  const fraction = (): number => random.fraction();
  const sandbox = await startSandboxProcess();
  onTestFinished(() => sandbox.close());
  const rig = await Rig.open({
    TELEGRAM_SANDBOX_URL: sandbox.url,
    ALLOW_PRIVATE_URLS: 'true',
    LEASE_SECONDS: String(leaseMs / 1_000),
  });
  onTestFinished(() => rig.close());
  const load = await RigLoad.open({ rig, sandbox, fraction, sessions, betweenMs: Math.max(500, rounds * 100) });

  const takeovers = new Map<Takeover, number[]>();
  const note = (what: Takeover, ms: number | undefined): void => {
    if (ms !== undefined) takeovers.set(what, [...(takeovers.get(what) ?? []), Math.round(ms)]);
  };
  const telegram = (action: string, { address }: RigNode): Promise<unknown> =>
    sandbox.call('POST', '/network', { action, address });
  /** 1 to 40 seconds, as often shorter than six as longer. */
  const spellMs = (): number => minSpellMs * (maxSpellMs / minSpellMs) ** fraction();

  /** Until the next end. */
  let lastCut: RigNode | undefined;
  const takeoverOf = async (node: RigNode, spell: Spell): Promise<Takeover> => {
    if (spell === 'kill') return spell;
    if (node.version > 0) return 'end of the other version';
    return node === lastCut && !(await rig.isReady(node)) ? 'end while not ready' : spell;
  };
  const end = async (node: RigNode, spell: Spell): Promise<void> => {
    const what = await takeoverOf(node, spell);
    const taken = rig.takenFrom(node);
    const ended = rig.end(node, spell === 'kill' ? 'SIGKILL' : 'SIGTERM');
    if (spell === 'kill' && fraction() < 0.5) {
      await ended;
      await Promise.all([rig.start(node), taken]);
    } else {
      await taken;
      await ended;
      await pause(fraction() * maxDeadMs);
      await rig.start(node);
    }
    note(what, await taken);
    lastCut = undefined;
  };
  const hold = async (node: RigNode, spell: Spell): Promise<void> => {
    const forMs = spellMs();
    const from = performance.now();
    node.isWell = false;
    if (spell === 'cut') lastCut = node;
    if (spell === 'cut') node.toStore.cut();
    else node.running?.child.kill('SIGSTOP');
    note(spell, await rig.takenFrom(node, forMs));
    await pause(Math.max(0, from + forMs - performance.now()));
    if (spell === 'cut') node.toStore.mend();
    else node.running?.child.kill('SIGCONT');
    node.isWell = true;
  };
  const withoutTelegram = async (node: RigNode, spell: Spell): Promise<void> => {
    await telegram(spell === 'no Telegram' ? 'refuse' : 'blackhole', node);
    await pause(spellMs());
    if (spell === 'end without Telegram') await end(node, spell);
    await telegram('accept', node);
  };

  load.begin();
  for (let round = 0; round < rounds; round += 1) {
    await rig.shared();
    const spell = spells[round % spells.length] as Spell;
    const node = rig.nodes[Math.floor(fraction() * rig.nodes.length)] as RigNode;
    if (given !== undefined) process.stderr.write(`round ${round} of ${rounds}: ${spell} at ${node.url}\n`);
    if (spell === 'kill' || spell === 'end') await end(node, spell);
    else if (spell === 'cut' || spell === 'stand still') await hold(node, spell);
    else await withoutTelegram(node, spell);
  }
  await load.end();
  const report = [...takeovers].map(([what, ms]) => `${what} ${ms.toSorted((a, b) => a - b).join(' ')}`);
  process.stderr.write(`seed ${seed}; takeovers in ms: ${report.join('; ')}\n`);

  expect(await load.damage()).toEqual(noDamage());
  // A short run shares its machine with other tests.
  if (given === undefined) return;
  for (const [what, maxMs] of Object.entries(maxTakeoverMs)) {
    const late = (takeovers.get(what as Takeover) ?? []).filter((ms) => ms > maxMs);
    expect([what, late]).toEqual([what, []]);
  }
});
