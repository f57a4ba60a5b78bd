import { beforeEach, describe, expect, it } from 'vitest';
import { type AnyStateMachine, createMachine } from 'xstate';
import { isUnreadable } from '../../../../actors/ports/event-codec.ts';
import type { TelegramSession } from '../../../../actors/ports/telegram-session.ts';
import { createSessionCommands } from '../../../../actors/runtime/session-commands.ts';
import { SessionNotFoundError } from '../../../../actors/runtime/sessions.ts';
import type { SessionState } from '../../../../actors/session/events.ts';
import { type Lifecycle, readLifecycle } from '../../../../actors/session/lifecycle.ts';
import { sessionMachine } from '../../../../actors/session/machine.ts';
import { restore, unfinishedEffects } from '../../../../actors/session/restore.ts';
import { createSessionCodec, type RecordedSessionEvent } from '../../../../actors/session/session-codec.ts';
import { evolveSessionView } from '../../../../projections/evolve-session-view.ts';
import type { SessionView } from '../../../../projections/session-view.ts';
import { createPlainSealer, type PlainSealer } from '../../../support/actors/plain-sealer.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

/**
 * The session's machine with three things more: an entry effect of `connected`, a state `resting` with an entry effect
 * and a deadline of an hour, and a final state `archived`.
 */
function changedMachine(): AnyStateMachine {
  const { config, implementations } = sessionMachine;
  const { connected, deleted } = config.states as unknown as Record<'connected' | 'deleted', { on: object }>;
  const params = ({ context }: { context: { login: number } }): { login: number } => ({ login: context.login });
  return createMachine(
    {
      ...config,
      states: {
        ...config.states,
        connected: {
          ...connected,
          entry: { type: 'greet', params },
          on: { ...connected.on, UpdatesLost: 'resting' },
        },
        resting: { entry: { type: 'rest', params }, after: { RESTING_TTL: 'archived' } },
        archived: { ...deleted },
      },
    } as never,
    {
      ...implementations,
      actions: { ...implementations.actions, greet: () => {}, rest: () => {} },
      delays: { ...implementations.delays, RESTING_TTL: 3_600_000 },
    } as never,
  );
}

const resting = 'resting' as SessionState;
const rested = linkFact('UpdatesLost', 1);

describe('a machine with an entry effect, a state and a final state more', () => {
  let lifecycle: Lifecycle;
  let clock: DrivenClock;
  let store: ReturnType<typeof createMemoryStore>;
  let sealer: PlainSealer;
  let instructions: string[];

  beforeEach(() => {
    lifecycle = readLifecycle(changedMachine());
    clock = createDrivenClock();
    store = createMemoryStore(clock);
    sealer = createPlainSealer();
    instructions = [];
  });

  /** Every method of the port, those of the new effects included, notes its name. */
  function startProcess(run: number) {
    let report: Parameters<Parameters<typeof createSessionCommands>[0]['createTelegramSession']>[1] = () =>
      Promise.reject(new Error('no Telegram session yet'));
    const sessions = createSessionCommands({
      store,
      sealer,
      clock,
      lifecycle,
      random: createSeededRandomness(run, clock),
      node: `run-${run}`,
      unfinishedErasures: () => [],
      reportUnreadable: allReadable,
      createTelegramSession: (_id, givenReport) => {
        report = givenReport;
        return new Proxy({} as TelegramSession, {
          get: (_target, name) => (login?: number) => {
            instructions.push(login === undefined ? String(name) : `${String(name)} ${login}`);
            return Promise.resolve();
          },
        });
      },
    });
    return { sessions, report: (fact: unknown) => report(fact as never) };
  }

  async function events(id: string): Promise<RecordedSessionEvent[]> {
    const codec = createSessionCodec(lifecycle);
    const all: RecordedSessionEvent[] = [];
    for await (const recorded of store.read(`session-${id}`)) {
      const event = codec.decode(recorded);
      if (!isUnreadable(event)) all.push(event);
    }
    return all;
  }

  async function connectedSession() {
    const running = startProcess(1);
    await running.sessions.start();
    const { id } = await running.sessions.create({});
    await running.report(linkFact('LoggedIn', 1));
    return { ...running, id };
  }

  it('[SE12.1] dispatches the new entry effects by their names', async () => {
    const { report } = await connectedSession();
    await report(rested);
    expect(instructions).toEqual(['startQrLogin 1', 'greet 1', 'rest 1']);
  });

  it('[SE7.1] arms and records the deadline of the new state, and ends it in the new final state', async () => {
    const { id, report, sessions } = await connectedSession();
    await report(rested);
    const at = clock.now();
    expect((await events(id)).at(-1)?.metadata.deadlines).toEqual([{ fact: 'RestingTimedOut', dueAt: at + 3_600_000 }]);
    await clock.advance(3_600_000);
    await clock.settle();
    expect((await events(id)).at(-1)).toMatchObject({
      type: 'RestingTimedOut',
      metadata: { to: 'archived', reason: 'resting-timeout', effects: [{ type: 'logOut' }, { type: 'erase' }] },
    });
    await expect(sessions.reset(id, {})).rejects.toThrow(SessionNotFoundError);
    expect([...sealer.keys]).toEqual([]);
  });

  it('[SE7.1] restores the new state with its entry effect and its deadline after a restart', async () => {
    const { id, report, sessions } = await connectedSession();
    await report(rested);
    await sessions.stop();
    instructions.length = 0;
    const next = startProcess(2);
    await next.sessions.start();
    await clock.settle();
    expect(next.sessions.state(id)).toBe(resting);
    expect(instructions).toEqual(['rest 1']);
    await clock.advance(3_600_000);
    await clock.settle();
    expect(next.sessions.isDeleted(id) || next.sessions.state(id) === undefined).toBe(true);
  });

  it('[SE7.1] runs the entry effect of a state whose last event had no effect of its own', async () => {
    const { id, report, sessions } = await connectedSession();
    await report(linkFact('AccountChanged', 1));
    await sessions.stop();
    const { metadata } = restore((await events(id)).at(-1) as RecordedSessionEvent);
    expect(unfinishedEffects(metadata, lifecycle)).toEqual([{ type: 'greet', login: 1 }]);
  });

  it('[SE11.2] the projection forgets the person in the new final state', async () => {
    const { id, report } = await connectedSession();
    await report(rested);
    await clock.advance(3_600_000);
    await clock.settle();
    const views: (SessionView | undefined)[] = [];
    for (const event of await events(id)) views.push(evolveSessionView(views.at(-1), event, lifecycle));
    expect(views.at(-2)).toMatchObject({ state: resting, ended: false, deadline: expect.any(Number) });
    expect(views.at(-1)).toMatchObject({ state: 'archived', ended: true, secretHash: '' });
    expect(views.at(-1)).not.toHaveProperty('account');
  });
});
