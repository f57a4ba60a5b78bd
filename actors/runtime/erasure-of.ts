import type { SessionFact } from '../session/events.ts';
import type { Erasure } from './erasure-queue.ts';
import type { SupervisedSession } from './supervised-session.ts';
import type { TelegramChild, TelegramEffect } from './telegram-child.ts';

export interface ErasureOfDeps {
  childOf: (session: SupervisedSession) => TelegramChild;
  readProxy: (session: SupervisedSession) => Promise<string | undefined>;
  forget: (id: string) => void;
  recordAfterEnd: (id: string, fact: SessionFact) => Promise<void>;
}

/**
 * The erasure of a deleted session. A session with an open connection is logged out over it at once. If the log-out needs a
 * new connection, the erasure waits for its turn.
 * @param logOut undefined if the session has no login
 */
export function erasureOf(
  session: SupervisedSession,
  logOut: TelegramEffect | undefined,
  { childOf, readProxy, forget, recordAfterEnd }: ErasureOfDeps,
): Erasure {
  let isFirst = true;
  if (logOut !== undefined) session.child?.perform(logOut);
  return {
    id: session.id,
    readProxy: () => readProxy(session),
    loggedOut: () => {
      // Another try needs another connection.
      if (!isFirst) session.child = undefined;
      isFirst = false;
      const isNew = session.child === undefined;
      const child = childOf(session);
      if (isNew && logOut !== undefined) child.perform(logOut);
      return child;
    },
    onErased: () => {
      session.phase = { kind: 'erasing', actor: undefined };
      forget(session.id);
    },
    onGivenUp: () => recordAfterEnd(session.id, { type: 'LogOutGivenUp' }),
  };
}

/** The erasure of a session that was never recorded and never had a connection. */
export function erasureOfUnrecorded(id: string, forget: () => void, takeUp: () => void): Erasure {
  const onErased = (): void => {
    forget();
    takeUp();
  };
  return { id, loggedOut: undefined, readProxy: async () => undefined, onErased, onGivenUp: async () => {} };
}
