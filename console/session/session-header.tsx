import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AuditEntry, Session } from '../api/types.ts';
import { Fact } from '../parts/fact.tsx';
import { epochMs, formatCountdown, formatDateTime, formatDuration, stateName } from '../parts/format.ts';
import { chatsHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { useNow } from '../parts/use-now.ts';

interface Props {
  id: string;
  session: Session | undefined;
  state: string;
  /** The caller's own names for it; empty if it has none. */
  ownName: string;
  lastEvent: AuditEntry | undefined;
  /** When Telegram refused a request because it has frozen the account. */
  frozenSince: string | undefined;
  isOwner: boolean;
  /** What can be done with it. */
  children: ComponentChildren;
}

/** Name, state and deadline of the session, and what can be done with it. */
export function SessionHeader({ id, session, state, ownName, lastEvent, frozenSince, isOwner, children }: Props) {
  const now = useNow();
  const name = session?.name || ownName || 'Session';
  useEffect(() => {
    const previousTitle = document.title;
    document.title = `${name}, ${stateName(state)} · Session gateway`;
    return () => {
      document.title = previousTitle;
    };
  }, [name, state]);
  const due = lastEvent?.data.deadlines[0]?.due;
  return (
    <header class="page-header session-header">
      <a class="back" href="#/">
        ← All sessions
      </a>
      <div class="identity">
        {session !== undefined && session.picture !== '' && <img class="avatar" src={session.picture} alt="" />}
        <div>
          <h1>{name}</h1>
          <p class="muted id">{id}</p>
        </div>
        <StateBadge state={state} />
      </div>
      <div class="header-tools">
        {isOwner && state === 'connected' && (
          <a class="button" href={chatsHref(id)}>
            Chats
          </a>
        )}
        {children}
      </div>
      <dl class="facts">
        {lastEvent !== undefined && (
          <>
            <Fact name="In this state for" title={`Since ${formatDateTime(lastEvent.data.since)}`}>
              {formatDuration(now - epochMs(lastEvent.data.since))}
            </Fact>
            <Fact name="Reason">{lastEvent.reason}</Fact>
          </>
        )}
        {due !== undefined && (
          <Fact name="Will be deleted in" class="due" title={`At ${formatDateTime(due)}`}>
            {formatCountdown(epochMs(due) - now)}
          </Fact>
        )}
        {frozenSince !== undefined && (
          <Fact name="Account" class="due" title="Telegram lets a frozen account read, and refuses what it sends.">
            {`frozen by Telegram, seen ${formatDateTime(frozenSince)}`}
          </Fact>
        )}
        {ownName !== '' && <Fact name="Named">{ownName}</Fact>}
        {session !== undefined && session.phone !== '' && <Fact name="Phone">{`+${session.phone}`}</Fact>}
      </dl>
    </header>
  );
}
