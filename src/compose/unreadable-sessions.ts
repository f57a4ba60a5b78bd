import type { ReportUnreadable, Unreadable } from '../../actors/ports/event-codec.ts';
import { UnreadableEventError } from '../../actors/ports/event-codec.ts';
import { BrokenSealError, type Sealed, type Sealer } from '../../actors/ports/sealer.ts';
import { type ReadSessionDeps, readSession } from '../../actors/runtime/read-session.ts';
import type { Sessions } from '../../actors/runtime/sessions.ts';
import { sessionIdOf } from '../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import { vaultOwner } from '../store/vault/vault-codec.ts';

/** Has a session held if an event of its own stream or its vault cannot be read (FA7). */
export const holdUnreadable =
  (sessions: Pick<Sessions, 'hold' | 'foundRecorded'>): ReportUnreadable =>
  ({ kind, stream, revision, reason }: Unreadable): void => {
    if (kind === 'vault') sessions.hold(vaultOwner(stream));
    if (kind !== 'session') return;
    if (reason === 'broken-seal') sessions.hold(sessionIdOf(stream));
    else sessions.foundRecorded(sessionIdOf(stream), revision);
  };

/** Opens texts in the events of sessions. An event is reported if a text of it does not open: it cannot be read (FA7). */
export function reportingSealer(deps: ReadSessionDeps, sealer: Pick<Sealer, 'open'>): Pick<Sealer, 'open'> {
  return {
    async open(sessionId, sealed) {
      try {
        return await sealer.open(sessionId, sealed);
      } catch (error) {
        if (!(error instanceof BrokenSealError)) throw error;
        const event = await eventWith(deps, sessionId, sealed);
        if (event === undefined) throw error;
        const { stream, revision, position } = event;
        const unreadable: Unreadable = { kind: 'session', stream, revision, position, reason: 'broken-seal' };
        deps.reportUnreadable(unreadable);
        throw new UnreadableEventError(unreadable, { cause: error });
      }
    },
  };
}

/** The event that the text is in. */
async function eventWith(
  deps: ReadSessionDeps,
  sessionId: string,
  sealed: Sealed,
): Promise<RecordedSessionEvent | undefined> {
  for await (const event of readSession(deps, sessionId)) {
    if (JSON.stringify(event.data).includes(JSON.stringify(sealed))) return event;
  }
  return undefined;
}
