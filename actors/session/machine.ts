import { assign, setup } from 'xstate';
import type { SessionContext, SessionFact } from './events.ts';

/** How long a state lasts before the session is deleted (LG1, SE4, SE5, SE6). */
const qrTtlMs = 3 * 60_000;
const codeTtlMs = 5 * 60_000;
const passwordTtlMs = 30 * 60_000;
const disconnectedTtlMs = 30 * 60_000;

interface EffectParams {
  login: number;
}

/** An effect is only named here. The session's actor records it first and then runs it. */
const named = (_chart: unknown, _params: EffectParams): void => {};

const currentLogin = ({ context }: { context: SessionContext }): EffectParams => ({ login: context.login });

/**
 * A session's life as a pure chart: no clock, no I/O, nothing invoked. It never runs as an XState actor, whose timers
 * would die with the process: `lifecycle.ts` asks it for the next state, and the session's actor does the rest.
 *
 * A fact that the current state does not handle is late, repeated or out of order. It changes nothing and is not
 * recorded.
 */
export const sessionMachine = setup({
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- how XState is told its types
  types: {} as { context: SessionContext; events: SessionFact },
  delays: {
    QR_TTL: qrTtlMs,
    CODE_TTL: codeTtlMs,
    PASSWORD_TTL: passwordTtlMs,
    DISCONNECTED_TTL: disconnectedTtlMs,
  },
  actions: {
    nextLogin: assign({ login: ({ context }) => context.login + 1 }),
    startQrLogin: named,
    awaitCode: named,
    awaitPassword: named,
    connect: named,
    keepLogin: named,
    dropLogin: named,
    logOut: named,
    erase: named,
    /** Only records the fact: the state and its deadline stay. Every transition without a target has it. */
    record: () => {},
    /** Beside `record`: the state's reason is that of the fact from now on. */
    explain: () => {},
  },
  guards: {
    /** The fact is about the current login attempt, not about an earlier one. */
    isCurrent: ({ context, event }) => 'login' in event && event.login === context.login,
  },
}).createMachine({
  id: 'session',
  context: { login: 0 },
  initial: 'qrPending',
  on: {
    WebhookSet: { actions: 'record' },
    SecretRotated: { actions: 'record' },
    SessionRenamed: { actions: 'record' },
    PaceSet: { actions: 'record' },
    ProxySet: { actions: 'record' },
    // Telegram may have accepted a scan or a password a moment ago, so every state logs out.
    SessionReset: { target: '.qrPending', reenter: true, actions: { type: 'logOut', params: currentLogin } },
    SessionDeleted: '.deleted',
  },
  states: {
    qrPending: {
      entry: ['nextLogin', { type: 'startQrLogin', params: currentLogin }],
      after: { QR_TTL: 'deleted' },
      on: {
        QrIssued: { guard: 'isCurrent', actions: 'record' },
        LoginRefused: { guard: 'isCurrent', actions: 'record' },
        OwnerChanged: { actions: 'record' },
        CodeSent: { guard: 'isCurrent', target: 'codeRequired' },
        PasswordRequested: { guard: 'isCurrent', target: 'passwordRequired' },
        LoggedIn: { guard: 'isCurrent', target: 'connected' },
        // The login was its owner's until now.
        LoginImported: {
          guard: 'isCurrent',
          target: 'connected',
          actions: { type: 'keepLogin', params: currentLogin },
        },
      },
    },
    codeRequired: {
      entry: { type: 'awaitCode', params: currentLogin },
      after: { CODE_TTL: 'deleted' },
      on: {
        // Each code has its own five minutes.
        CodeSent: { guard: 'isCurrent', target: 'codeRequired', reenter: true },
        CodeRejected: { guard: 'isCurrent', actions: 'record' },
        OwnerChanged: { actions: 'record' },
        CodesUsedUp: { guard: 'isCurrent', target: 'deleted' },
        PasswordRequested: { guard: 'isCurrent', target: 'passwordRequired' },
        LoggedIn: { guard: 'isCurrent', target: 'connected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
      },
    },
    passwordRequired: {
      entry: { type: 'awaitPassword', params: currentLogin },
      after: { PASSWORD_TTL: 'deleted' },
      on: {
        PasswordRejected: { guard: 'isCurrent', actions: 'record' },
        OwnerChanged: { actions: 'record' },
        LoggedIn: { guard: 'isCurrent', target: 'connected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
      },
    },
    connected: {
      on: {
        AccountChanged: { guard: 'isCurrent', actions: 'record' },
        UpdatesLost: { guard: 'isCurrent', actions: 'record' },
        AccountFrozen: { guard: 'isCurrent', actions: 'record' },
        MethodCalled: { actions: 'record' },
        ConnectionLost: { guard: 'isCurrent', target: 'disconnected' },
        ProxyFailed: { guard: 'isCurrent', target: 'disconnected' },
        BotLoginLost: { guard: 'isCurrent', target: 'disconnected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
        // The login is another program's from now on: it is dropped, and not logged out.
        LoginExported: {
          guard: 'isCurrent',
          target: 'qrPending',
          actions: { type: 'dropLogin', params: currentLogin },
        },
        GatewayRestarted: 'disconnected',
        OwnerChanged: 'disconnected',
      },
    },
    disconnected: {
      entry: { type: 'connect', params: currentLogin },
      after: { DISCONNECTED_TTL: 'deleted' },
      on: {
        AccountChanged: { guard: 'isCurrent', actions: 'record' },
        UpdatesLost: { guard: 'isCurrent', actions: 'record' },
        AccountFrozen: { guard: 'isCurrent', actions: 'record' },
        BotLoginLost: { guard: 'isCurrent', actions: 'record' },
        // The caller has to know that it is the proxy.
        ProxyFailed: { guard: 'isCurrent', actions: ['record', 'explain'] },
        ConnectionRestored: { guard: 'isCurrent', target: 'connected' },
        LoginLost: { guard: 'isCurrent', target: 'qrPending' },
        GatewayRestarted: { target: 'disconnected', reenter: true },
        OwnerChanged: { target: 'disconnected', reenter: true },
      },
    },
    deleted: {
      type: 'final',
      entry: [
        { type: 'logOut', params: currentLogin },
        { type: 'erase', params: currentLogin },
      ],
      on: {
        LoggedOut: { actions: 'record' },
        LogOutGivenUp: { actions: 'record' },
      },
    },
  },
});
