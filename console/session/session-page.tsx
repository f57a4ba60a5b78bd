import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { SessionActions } from '../actions/session-actions.tsx';
import { SessionLinkButton } from '../actions/session-link-button.tsx';
import { readApiKey, readSessionSecret } from '../api/credentials.ts';
import { getSession } from '../api/sessions.ts';
import type { SessionSummary } from '../api/types.ts';
import { StateChart } from '../chart/state-chart.tsx';
import { ChatsPage } from '../chats/chats-page.tsx';
import { CodeCard } from '../code/code-card.tsx';
import { useLoaded } from '../live/use-loaded.ts';
import { useMinute } from '../live/use-minute.ts';
import { Card } from '../parts/card.tsx';
import { epochMs } from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { type SessionRoute, type SessionTab, sessionTabs, tabHref } from '../parts/session-route.ts';
import { useNow } from '../parts/use-now.ts';
import { DeliveriesCard } from './deliveries/deliveries-card.tsx';
import { WebhookCard } from './deliveries/webhook-card.tsx';
import { frozenAt } from './frozen-account.ts';
import { OverviewPanel } from './panels/overview-panel.tsx';
import { RawPanel } from './panels/raw-panel.tsx';
import { SessionHeader } from './session-header.tsx';
import { StateStrip } from './state-strip.tsx';
import { Tabs } from './tabs.tsx';
import { EventSlider } from './timeline/event-slider.tsx';
import { ShownTime } from './timeline/shown-time.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useReplay } from './timeline/use-replay.ts';
import { useEvents } from './use-events.ts';

interface Props {
  route: SessionRoute;
  /** What the API key shows of it; undefined until it is loaded. */
  summary: SessionSummary | undefined;
  isLoaded: boolean;
  /** Another one when the session has sent or delivered something. */
  usageVersion: string;
  sandboxUrl: string;
  /** Called when the session enters another state. */
  onChange: () => void;
  /** Called when this tab has a new secret of the session: then this page has to begin again. */
  onSecret: () => void;
}

const tabLabels: Record<SessionTab, string> = {
  overview: 'Overview',
  timeline: 'Timeline',
  deliveries: 'Deliveries',
  chart: 'Chart',
  raw: 'Raw',
};

export function SessionPage({ route, summary, isLoaded, usageVersion, sandboxUrl, onChange, onSecret }: Props) {
  const { id, tab } = route;
  const [hasSecret, setHasSecret] = useState(readSessionSecret(id) !== null);
  // The credentials of a deleted session are invalid. The API key still gives access to its events.
  const wasDeleted = summary?.state === 'deleted';
  const [isDeleting, setDeleting] = useState(false);
  const isOwner = hasSecret && !wasDeleted;
  const { events, brokenSince } = useEvents(id, isOwner);
  const lastEvent = events.at(-1);
  const state = lastEvent?.state ?? summary?.state;
  const isLive = state !== undefined && state !== 'deleted' && !isDeleting;
  const loadSession = useCallback((signal: AbortSignal) => getSession(id, signal), [id]);
  const { value, isFresh } = useLoaded(isOwner && isLive ? loadSession : undefined, lastEvent?.seq ?? 0);
  const session = isFresh ? value : undefined;
  useEffect(onChange, [lastEvent?.state, onChange]);

  // A key may stand for the secret (KY1.4).
  const isOpen = isLive && (hasSecret || readApiKey() !== null);
  // What waits behind a failed delivery is no use yet.
  const deliveriesVersion = `${lastEvent?.seq ?? 0} ${usageVersion} ${useMinute()}`;

  const [seq, setSeq] = useState<number>();
  const replay = useReplay(id, isOwner, seq);
  const now = useNow();
  const shownSeq = replay?.seq;
  const shownEvents = useMemo(
    () => (shownSeq === undefined ? events : events.filter((event) => event.seq <= shownSeq)),
    [events, shownSeq],
  );

  if (state === undefined) return <h1 class="muted">{isLoaded ? 'Session not found' : 'Loading…'}</h1>;
  if (route.isChats && isOwner && isLive) {
    return <ChatsPage id={id} name={session?.name ?? ''} state={state} chatId={route.chatId} />;
  }
  const shownTime = <ShownTime replay={replay} isDeleted={state === 'deleted'} onLatest={() => setSeq(undefined)} />;
  const slider = <EventSlider events={events} seq={seq} onSelect={setSeq} />;
  return (
    <div class={brokenSince === undefined ? 'session' : 'session stale'}>
      <SessionHeader
        id={id}
        session={session}
        state={state}
        ownName={summary === undefined ? '' : ownName(summary)}
        isOwner={isOwner && isLive}
      >
        {state === 'deleted' && summary !== undefined && <SessionLinkButton summary={summary} />}
        {state !== 'deleted' && (
          <SessionActions id={id} summary={summary} isOwner={isOwner} onDeleting={setDeleting} onSecret={onSecret} />
        )}
      </SessionHeader>
      <StateStrip state={state} lastEvent={lastEvent} frozenSince={frozenAt(events)} brokenSince={brokenSince} />
      <Tabs
        label="Session"
        tabs={sessionTabs.map((name) => ({ name, label: tabLabels[name], href: tabHref(id, name) }))}
        selected={tab}
      >
        {tab === 'overview' && (
          <OverviewPanel
            id={id}
            state={state}
            summary={summary}
            session={session}
            events={events}
            isLive={isLive}
            isOwner={isOwner && isLive}
            hasSecret={hasSecret}
            sandboxUrl={sandboxUrl}
            onUnlocked={() => setHasSecret(true)}
          />
        )}
        {tab === 'timeline' && (
          <Card title="Timeline" id="timeline" aside={shownTime}>
            {slider}
            <Timeline events={events} seq={seq} replay={replay} onSelect={setSeq} isOwner={isOwner} />
          </Card>
        )}
        {tab === 'deliveries' && (
          <>
            <WebhookCard
              id={id}
              isOpen={isOpen}
              hasWebhook={summary?.hasWebhook ?? false}
              version={deliveriesVersion}
            />
            {isOpen && <DeliveriesCard id={id} version={deliveriesVersion} />}
          </>
        )}
        {tab === 'chart' && (
          <Card title="State chart" id="chart" aside={shownTime}>
            {slider}
            <StateChart
              state={replay?.state ?? state}
              events={shownEvents}
              deadlines={replay?.deadlines ?? lastEvent?.data.deadlines ?? []}
              now={replay === undefined ? now : epochMs(replay.created)}
            />
          </Card>
        )}
        {tab === 'raw' && <RawPanel id={id} summary={summary} session={session} events={events} />}
      </Tabs>
      {tab === 'overview' && isOwner && isLive && <CodeCard id={id} />}
    </div>
  );
}
