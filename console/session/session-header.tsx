import { useEffect } from 'preact/hooks';
import { deleteSession, resetSession } from '../api/sessions.ts';
import type { AuditEntry, Session } from '../api/types.ts';
import { Question } from '../parts/confirm-button.tsx';
import { countdown, duration, msOf, stateName, wholeTime } from '../parts/format.ts';
import { Badge } from '../parts/state-badge.tsx';
import { Said, useDoing } from '../parts/use-action.tsx';
import { useNow } from '../parts/use-now.ts';

interface Props {
  id: string;
  session: Session | undefined;
  state: string;
  last: AuditEntry | undefined;
  isOwner: boolean;
  /** It is being deleted: whoever asks about it now is told that there is no such session. */
  onLeaving: (isLeaving: boolean) => void;
}

/** Which session, how it is and since when, and what can be done to the whole of it. */
export function SessionHead({ id, session, state, last, isOwner, onLeaving }: Props) {
  const now = useNow();
  const { isBusy, said, run } = useDoing();
  const name = session?.name || 'Session';
  useEffect(() => {
    const before = document.title;
    document.title = `${name}, ${stateName(state)} · Session gateway`;
    return () => {
      document.title = before;
    };
  }, [name, state]);
  const due = last?.data.deadlines[0]?.due;
  const remove = async (): Promise<string> => {
    onLeaving(true);
    await deleteSession(id).catch((error: unknown) => {
      onLeaving(false);
      throw error;
    });
    return 'Deleted.';
  };
  return (
    <header class="page-head session-head">
      <a class="back" href="#/">
        ← All sessions
      </a>
      <div class="who">
        {session !== undefined && session.picture !== '' && <img class="face" src={session.picture} alt="" />}
        <div>
          <h1>{name}</h1>
          <p class="quiet id">{id}</p>
        </div>
        <Badge state={state} />
      </div>
      {isOwner && (
        <div class="actions">
          <Question
            label="Reset"
            title="Log this session out?"
            text="It keeps its id and its log, and shows a fresh QR code to scan."
            yes="Log it out"
            no="Keep it"
            isDisabled={isBusy}
            onYes={() =>
              void run(async () => {
                await resetSession(id);
                return 'Logged out; a fresh QR code is on its way.';
              })
            }
          />
          <Question
            label="Delete"
            title="Delete this session?"
            text="It is logged out at Telegram, and what is personal in its log can be read by nobody any more."
            yes="Delete it"
            no="Keep it"
            isDisabled={isBusy}
            isDanger
            onYes={() => void run(remove)}
          />
        </div>
      )}
      <dl class="facts">
        {last !== undefined && (
          <>
            <div>
              <dt>Since</dt>
              <dd title={wholeTime(last.data.since)}>{duration(now - msOf(last.data.since))}</dd>
            </div>
            <div>
              <dt>Reason</dt>
              <dd>{last.reason}</dd>
            </div>
          </>
        )}
        {due !== undefined && (
          <div>
            <dt>Deleted in</dt>
            <dd class="due">{countdown(msOf(due) - now)}</dd>
          </div>
        )}
        {session !== undefined && session.phone !== '' && (
          <div>
            <dt>Phone</dt>
            <dd>{`+${session.phone}`}</dd>
          </div>
        )}
      </dl>
      <Said said={said} />
    </header>
  );
}
