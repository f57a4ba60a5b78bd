import { sessionStates } from '../../actors/session/events.ts';
import type { SessionSummary } from '../api/types.ts';
import { msOf, stateName } from '../parts/format.ts';
import { type Ended, Reasons } from '../parts/reason-chart.tsx';
import { Card } from '../parts/use-action.tsx';
import { countOf } from './session-filter.ts';

/** Why a session went out of reach or away; those that were deleted on request are as they should be. */
const endedOf = (sessions: readonly SessionSummary[]): Ended[] =>
  sessions
    .filter(({ state }) => state === 'deleted' || state === 'disconnected')
    .map(({ since, reason }) => ({ at: msOf(since), reason }));

/** All sessions at a glance. */
export function Overview({ sessions, sandboxUrl }: { sessions: SessionSummary[] | undefined; sandboxUrl: string }) {
  return (
    <>
      <header class="page-head">
        <h1>Overview</h1>
        <p class="quiet">
          {sandboxUrl === ''
            ? 'On the other side is Telegram itself.'
            : 'On the other side is a sandbox: no account needed, its phones are beside each session.'}
        </p>
      </header>
      <dl class="tiles">
        {sessionStates.map((state) => (
          <div key={state} class={`tile ${state}`}>
            <dt>{stateName(state)}</dt>
            <dd>{sessions === undefined ? '–' : countOf(sessions, state)}</dd>
          </div>
        ))}
      </dl>
      {sessions?.length === 0 && <Beginning isSandbox={sandboxUrl !== ''} />}
      <Card title="Why sessions are out of reach or gone" id="reasons">
        <Reasons ended={endedOf(sessions ?? [])} empty="None has been lost." />
      </Card>
    </>
  );
}

function Beginning({ isSandbox }: { isSandbox: boolean }) {
  return (
    <Card title="Begin here" id="begin">
      <ol class="steps">
        <li>
          <strong>Create a session.</strong> It is one logged-in Telegram account, and shows a QR code in a moment.
        </li>
        <li>
          <strong>Scan the QR code</strong>{' '}
          {isSandbox
            ? 'with one of the sandbox’s phones: one click.'
            : 'in the Telegram app: Settings → Devices → Link Desktop Device.'}
        </li>
        <li>
          <strong>Send a message</strong> as soon as the session is connected.
        </li>
      </ol>
    </Card>
  );
}
