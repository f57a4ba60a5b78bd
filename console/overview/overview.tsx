import { sessionStates } from '../../actors/session/events.ts';
import { listSessions } from '../api/sessions.ts';
import type { SessionSummary } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { epochMs, stateName } from '../parts/format.ts';
import { type Interruption, ReasonChart } from '../parts/reason-chart.tsx';
import { usePolling } from '../parts/use-polling.ts';

/** One for each session that is disconnected or deleted now. */
const interruptionsAmong = (sessions: readonly SessionSummary[]): Interruption[] =>
  sessions
    .filter(({ state }) => state === 'deleted' || state === 'disconnected')
    .map(({ since, reason }) => ({ at: epochMs(since), reason }));

const listIntervalMs = 2_000;

/** How many sessions are in each state, and why some are disconnected or deleted. */
export function Overview({ sandboxUrl }: { sandboxUrl: string }) {
  const { value: sessions } = usePolling(listSessions, listIntervalMs);
  const hasSandbox = sandboxUrl !== '';
  return (
    <>
      <header class="page-header">
        <h1>Overview</h1>
        <p class="muted">
          {hasSandbox
            ? 'This gateway is connected to the sandbox, not to Telegram: its phones are on the page of each session.'
            : 'This gateway is connected to Telegram.'}
        </p>
      </header>
      <dl class="tiles">
        {sessionStates.map((state) => (
          <div key={state} class={`tile ${state}`}>
            <dt>{stateName(state)}</dt>
            <dd>{sessions === undefined ? '–' : sessions.filter((session) => session.state === state).length}</dd>
          </div>
        ))}
      </dl>
      {sessions?.length === 0 && <GettingStarted hasSandbox={hasSandbox} />}
      <Card title="Disconnected and deleted sessions by reason" id="reasons">
        <ReasonChart
          interruptions={interruptionsAmong(sessions ?? [])}
          empty="No session is disconnected or deleted."
        />
      </Card>
    </>
  );
}

function GettingStarted({ hasSandbox }: { hasSandbox: boolean }) {
  return (
    <Card title="Getting started" id="getting-started">
      <ol class="steps">
        <li>
          <strong>Create a session.</strong> A session logs in one Telegram account. Its QR code appears after a moment.
        </li>
        <li>
          <strong>Scan the QR code</strong>{' '}
          {hasSandbox
            ? 'with a phone of the sandbox. One click does it.'
            : 'with the Telegram app: Settings → Devices → Link Desktop Device.'}
        </li>
        <li>
          <strong>Send a message</strong> when the session is connected.
        </li>
      </ol>
    </Card>
  );
}
