import { assign, setup } from 'xstate';
import type { SessionContext, SessionFact } from './events.ts';

/** How long a state lasts before the session is deleted (SE4, SE5, SE6). */
const qrTtlMs = 3 * 60_000;
const passwordTtlMs = 30 * 60_000;
const disconnectedTtlMs = 30 * 60_000;

interface EffectParams {
  login: number;
}

/** An effect is only named here; who runs the chart records it and then has it done. */
const named = (_chart: unknown, _params: EffectParams): void => {};

const currentLogin = ({ context }: { context: SessionContext }): EffectParams => ({ login: context.login });

/**
 * A session's life as a pure chart: no clock, no I/O, nothing invoked. It is never run as an XState actor, whose timers
 * would die with the process: `advance` asks it for the next state, and the durable actor does the rest.
 *
 * A fact that no state answers is late, doubled or out of order; it changes nothing and is not recorded.
 */
export const sessionMachine = setup({
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- how XState is told its types
  types: {} as { context: SessionContext; events: SessionFact },
  delays: { QR_TTL: qrTtlMs, PASSWORD_TTL: passwordTtlMs, DISCONNECTED_TTL: disconnectedTtlMs },
  actions: {
    nextLogin: assign({ login: ({ context }) => context.login + 1 }),
    startQrLogin: named,
    awaitPassword: named,
    connect: named,
    logOut: named,
    erase: named,
    /** Nothing but the record: the fact is kept, the state and its deadline stay. */
    keep: () => {},
  },
  guards: {
    /** The fact is about the login attempt that is under way, not about one that was given up. */
    isCurrent: ({ context, event }) => 'login' in event && event.login === context.login,
  },
}).createMachine({
  id: 'session',
  context: { login: 0 },
  initial: 'qrPending',
  on: {
    WebhookSet: { actions: 'keep' },
    // A scan or a password may have been accepted a moment ago, unknown here: whatever the state, Telegram is told.
    SessionReset: { target: '.qrPending', reenter: true, actions: { type: 'logOut', params: currentLogin } },
    SessionDeleted: '.deleted',
  },
  states: {
    qrPending: {
      entry: ['nextLogin', { type: 'startQrLogin', params: currentLogin }],
      after: { QR_TTL: 'deleted' },
      on: {
        QrIssued: { guard: 'isCurrent', actions: 'keep' },
        PasswordRequested: { guard: 'isCurrent', target: 'passwordRequired' },
        LoggedIn: { guard: 'isCurrent', target: 'connected' },
      },
    },
    passwordRequired: {
      entry: { type: 'awaitPassword', params: currentLogin },
      after: { PASSWORD_TTL: 'deleted' },
      on: {
        PasswordRejected: { guard: 'isCurrent', actions: 'keep' },
        LoggedIn: { guard: 'isCurrent', target: 'connected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
      },
    },
    connected: {
      on: {
        AccountChanged: { guard: 'isCurrent', actions: 'keep' },
        UpdatesLost: { guard: 'isCurrent', actions: 'keep' },
        ConnectionLost: { guard: 'isCurrent', target: 'disconnected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
        GatewayRestarted: 'disconnected',
      },
    },
    disconnected: {
      entry: { type: 'connect', params: currentLogin },
      after: { DISCONNECTED_TTL: 'deleted' },
      on: {
        AccountChanged: { guard: 'isCurrent', actions: 'keep' },
        UpdatesLost: { guard: 'isCurrent', actions: 'keep' },
        ConnectionRestored: { guard: 'isCurrent', target: 'connected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
        GatewayRestarted: { target: 'disconnected', reenter: true },
      },
    },
    deleted: {
      type: 'final',
      entry: [
        { type: 'logOut', params: currentLogin },
        { type: 'erase', params: currentLogin },
      ],
    },
  },
});
