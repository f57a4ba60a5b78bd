import { useCallback } from 'preact/hooks';
import { sessionStates } from '../../actors/session/events.ts';
import { errorMessage } from '../api/request.ts';
import { loadStats } from '../api/stats.ts';
import type { SessionStats } from '../api/types.ts';
import { listHref } from '../list/list-query.ts';
import { useLoaded } from '../live/use-loaded.ts';
import { useMinute } from '../live/use-minute.ts';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/fact.tsx';
import { epochMs, formatDateTime, formatDuration, stateName } from '../parts/format.ts';
import { LastingError } from '../parts/lasting-error.tsx';
import { useNow } from '../parts/use-now.ts';
import { concernsOf } from './concerns.ts';
import { GettingStarted } from './getting-started.tsx';
import { LastLosses } from './last-losses.tsx';
import { type StatsWindow, windowHref, windowNames, windows } from './overview-window.ts';
import { SessionsOverTime } from './sessions-over-time.tsx';
import { Tile } from './tile.tsx';

interface Props {
  sandboxUrl: string;
  window: StatsWindow;
  /** Another one when sessions have changed, or something was sent or delivered. */
  version: string;
}

/** Whether all is well: the sessions by state, and what came of logins, sends and deliveries. Each number is a link. */
export function Overview({ sandboxUrl, window, version }: Props) {
  const load = useCallback((signal: AbortSignal) => loadStats(window, signal), [window]);
  // The window moves on.
  const { value, isFresh, failure } = useLoaded(load, `${version} ${useMinute()}`);
  const stats = isFresh ? value : undefined;
  const hasSandbox = sandboxUrl !== '';
  const isEmpty = stats !== undefined && Object.values(stats.states).every((count) => count === 0);
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
      {failure !== undefined && (
        <LastingError
          class="action-result error"
          role="status"
          text={`These are not the latest numbers: ${errorMessage(failure.error)}.`}
        />
      )}
      {isEmpty && <GettingStarted hasSandbox={hasSandbox} />}
      {stats !== undefined && !isEmpty && <Verdict stats={stats} />}
      <section class="tile-group" aria-label="Sessions now">
        <h2>Sessions now</h2>
        <ul class="tiles">
          {sessionStates.map((state) => (
            <Tile
              key={state}
              name={stateName(state)}
              class={(stats?.states[state] ?? 0) > 0 ? state : ''}
              href={listHref({ state })}
            >
              {stats?.states[state] ?? '–'}
            </Tile>
          ))}
        </ul>
      </section>
      <section class="tile-group" aria-label="What happened">
        <header class="tile-header">
          <h2>{`In ${windowNames[window]}`}</h2>
          <nav class="windows" aria-label="Window">
            {windows.map((one) => (
              <a key={one} href={windowHref(one)} aria-current={one === window ? 'true' : undefined}>
                {one.replace(/\D/, ' $&')}
              </a>
            ))}
          </nav>
        </header>
        <Happened stats={stats} />
      </section>
      {stats?.history !== undefined && !isEmpty && <SessionsOverTime history={stats.history} window={window} />}
      {stats !== undefined && (
        <div class="columns">
          <LastLosses losses={stats.losses} lastLosses={stats.lastLosses} />
          <About stats={stats} hasSandbox={hasSandbox} />
        </div>
      )}
    </>
  );
}

function Verdict({ stats }: { stats: SessionStats }) {
  const now = useNow();
  const concerns = concernsOf(stats, now);
  return (
    <p class={concerns.length === 0 ? 'verdict well' : 'verdict'} role="status">
      <strong>{concerns.length === 0 ? 'All is well.' : 'To look at: '}</strong>
      {concerns.map(({ text, href }, index) => (
        <>
          {index > 0 && ' · '}
          <a href={href}>{text}</a>
        </>
      ))}
    </p>
  );
}

function Happened({ stats }: { stats: SessionStats | undefined }) {
  const now = useNow();
  const lost = stats?.losses.reduce((sum, { count }) => sum + count, 0);
  const { sends, deliveries, backlog } = stats ?? {};
  const connected = listHref({ state: 'connected', sort: '-since' });
  const bad = (count: number | undefined): string => ((count ?? 0) > 0 ? 'bad' : '');
  return (
    <ul class="tiles">
      <Tile name="Logins" href={connected}>
        {stats?.logins ?? '–'}
      </Tile>
      <Tile name="Logins lost" class={bad(lost)} href={listHref({ state: 'any', sort: '-since' })}>
        {lost ?? '–'}
      </Tile>
      <Tile name="Messages sent" href={connected}>
        {sends?.ok ?? '–'}
      </Tile>
      <Tile name="Sends failed" class={bad(sends?.failed)} href={connected}>
        {sends?.failed ?? '–'}
      </Tile>
      <Tile name="Waits of Telegram" href={connected}>
        {stats?.waits ?? '–'}
      </Tile>
      <Tile name="Events delivered" href={listHref({})}>
        {deliveries?.ok ?? '–'}
      </Tile>
      <Tile name="Attempts failed" class={bad(deliveries?.failed)} href={listHref({})}>
        {deliveries?.failed ?? '–'}
      </Tile>
      <Tile name="Deliveries given up" class={bad(deliveries?.parked)} href={listHref({})}>
        {deliveries?.parked ?? '–'}
      </Tile>
      <Tile
        name="Deliveries waiting now"
        href={listHref({})}
        {...(backlog?.oldest && { note: `the oldest for ${formatDuration(now - epochMs(backlog.oldest))}` })}
      >
        {backlog?.pending ?? '–'}
      </Tile>
    </ul>
  );
}

const storeNames: Readonly<Record<SessionStats['store'], string>> = {
  sqlite: 'SQLite, embedded',
  kurrentdb: 'KurrentDB',
};

function About({ stats: { version, startedAt, store }, hasSandbox }: { stats: SessionStats; hasSandbox: boolean }) {
  const now = useNow();
  return (
    <Card title="Gateway" id="gateway">
      <dl class="pairs">
        <Fact name="Version">{version}</Fact>
        <Fact name="Up for" title={`Since ${formatDateTime(startedAt)}`}>
          {formatDuration(now - epochMs(startedAt))}
        </Fact>
        <Fact name="Started">{formatDateTime(startedAt)}</Fact>
        <Fact name="Nodes">
          <a href="#/nodes">What shares the store</a>
        </Fact>
        <Fact name="Event store">{storeNames[store]}</Fact>
        <Fact name="Telegram">{hasSandbox ? 'the sandbox' : 'the real one'}</Fact>
      </dl>
    </Card>
  );
}
