import type { AuditEntry, Session, SessionSummary } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { ReasonChart } from '../../parts/reason-chart.tsx';
import { interruptionsOf } from '../interruptions.ts';
import { Login } from '../login/login.tsx';
import { OwnerAccess } from '../owner-access.tsx';
import { SandboxPhone } from '../sandbox-phone.tsx';
import { SendForm } from '../send/send-form.tsx';
import { ReconnectCard } from './reconnect-card.tsx';
import { SessionFacts } from './session-facts.tsx';

interface Props {
  id: string;
  state: string;
  summary: SessionSummary | undefined;
  session: Session | undefined;
  events: readonly AuditEntry[];
  isLive: boolean;
  /** Whether this tab has the session's secret and the session lives. */
  isOwner: boolean;
  /** Whether this tab has the session's secret. */
  hasSecret: boolean;
  sandboxUrl: string;
  onUnlocked: () => void;
}

/** What comes next for the session, what it is called, and how often it was interrupted. */
export function OverviewPanel(props: Props) {
  const { id, state, summary, session, events, isLive, isOwner, hasSecret, sandboxUrl, onUnlocked } = props;
  const hasPhone = sandboxUrl !== '' && isLive;
  return (
    <div class={hasPhone ? 'columns' : 'columns even'}>
      <div class="stack">
        {isLive && state === 'disconnected' && <ReconnectCard id={id} reason={events.at(-1)?.reason ?? ''} />}
        {isLive && !hasSecret && <OwnerAccess id={id} onUnlocked={onUnlocked} />}
        {isOwner && <Login id={id} state={state} session={session} events={events} />}
        {isOwner && state === 'connected' && <SendForm id={id} hasSandbox={sandboxUrl !== ''} />}
        <SessionFacts id={id} summary={summary} session={session} />
      </div>
      <div class="stack">
        {hasPhone && <SandboxPhone sandboxUrl={sandboxUrl} qrcode={session?.qrcode ?? ''} />}
        <Card title={isLive ? 'Interruptions' : 'Interruptions and deletion'} id="interruptions">
          <ReasonChart interruptions={interruptionsOf(events)} empty="No interruptions so far." />
        </Card>
      </div>
    </div>
  );
}
