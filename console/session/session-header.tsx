import { useEffect } from 'preact/hooks';
import { deleteSession, resetSession } from '../api/sessions.ts';
import type { AuditEntry, Session } from '../api/types.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Fact } from '../parts/fact.tsx';
import { epochMs, formatCountdown, formatDateTime, formatDuration, stateName } from '../parts/format.ts';
import { chatsHref } from '../parts/session-route.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { ActionResult, useAction } from '../parts/use-action.tsx';
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
  /** While the session is being deleted, requests about it fail with 404: the page must not send them. */
  onDeleting: (isDeleting: boolean) => void;
}

/** Name, state and deadline of the session, and the buttons to reset and to delete it. */
export function SessionHeader({ id, session, state, ownName, lastEvent, frozenSince, isOwner, onDeleting }: Props) {
  const now = useNow();
  const { isBusy, result, run } = useAction();
  const name = session?.name || ownName || 'Session';
  useEffect(() => {
    const previousTitle = document.title;
    document.title = `${name}, ${stateName(state)} · Session gateway`;
    return () => {
      document.title = previousTitle;
    };
  }, [name, state]);
  const due = lastEvent?.data.deadlines[0]?.due;
  const reset = async (): Promise<string> => {
    await resetSession(id);
    return 'Logged out. A new QR code follows.';
  };
  const remove = async (): Promise<string> => {
    onDeleting(true);
    await deleteSession(id).catch((error: unknown) => {
      onDeleting(false);
      throw error;
    });
    return 'Deleted.';
  };
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
      {isOwner && (
        <div class="actions">
          {state === 'connected' && (
            <a class="button" href={chatsHref(id)}>
              Chats
            </a>
          )}
          <ConfirmButton
            label="Reset"
            title="Log out this session?"
            text="The session keeps its ID and its events, and shows a new QR code."
            confirmLabel="Log out"
            isDisabled={isBusy}
            onConfirm={() => void run(reset)}
          />
          <ConfirmButton
            label="Delete"
            title="Delete this session?"
            text="The session is logged out of Telegram. The personal data in its events can never be read again."
            confirmLabel="Delete session"
            isDisabled={isBusy}
            isDanger
            onConfirm={() => void run(remove)}
          />
        </div>
      )}
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
      <ActionResult result={result} />
    </header>
  );
}
