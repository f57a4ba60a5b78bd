import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { SessionActions } from '../actions/session-actions.tsx';
import { readSessionSecret } from '../api/credentials.ts';
import { getSession } from '../api/sessions.ts';
import type { PastSession, SessionSummary } from '../api/types.ts';
import { StateChart } from '../chart/state-chart.tsx';
import { ChatsPage } from '../chats/chats-page.tsx';
import { Card } from '../parts/card.tsx';
import { epochMs, formatTime } from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { ReasonChart } from '../parts/reason-chart.tsx';
import type { SessionRoute } from '../parts/session-route.ts';
import { useNow } from '../parts/use-now.ts';
import { usePolling } from '../parts/use-polling.ts';
import { EventSlider } from './event-slider.tsx';
import { frozenAt } from './frozen-account.ts';
import { interruptionsOf } from './interruptions.ts';
import { Login } from './login.tsx';
import { OwnerAccess } from './owner-access.tsx';
import { SandboxPhone } from './sandbox-phone.tsx';
import { SendForm } from './send-form.tsx';
import { SessionHeader } from './session-header.tsx';
import { Timeline } from './timeline.tsx';
import { useEvents } from './use-events.ts';
import { useReplay } from './use-replay.ts';
import { WebhookCard } from './webhook-card.tsx';

interface Props {
  route: SessionRoute;
  /** Undefined until the list contains the session. */
  summary: SessionSummary | undefined;
  isListLoaded: boolean;
  sandboxUrl: string;
  /** Called when the session enters another state. */
  onChange: () => void;
  /** Called when this tab has a new secret of the session: then this page has to begin again. */
  onSecret: () => void;
}

const sessionIntervalMs = 2_000;

export function SessionPage({ route, summary, isListLoaded, sandboxUrl, onChange, onSecret }: Props) {
  const { id } = route;
  const [hasSecret, setHasSecret] = useState(readSessionSecret(id) !== null);
  // The credentials of a deleted session are invalid. The API key still gives access to its events.
  const wasDeleted = summary?.state === 'deleted';
  const [isDeleting, setDeleting] = useState(false);
  const isOwner = hasSecret && !wasDeleted;
  const events = useEvents(id, isOwner);
  const lastEvent = events.at(-1);
  const state = lastEvent?.state ?? summary?.state;
  const isLive = state !== undefined && state !== 'deleted' && !isDeleting;
  const loadSession = useCallback((signal: AbortSignal) => getSession(id, signal), [id]);
  const { value: session, refresh } = usePolling(isOwner && isLive ? loadSession : undefined, sessionIntervalMs);
  useEffect(refresh, [lastEvent?.seq, refresh]);
  useEffect(onChange, [lastEvent?.state, onChange]);

  const [seq, setSeq] = useState<number>();
  const replay = useReplay(id, isOwner, seq);
  const now = useNow();
  const shownSeq = replay?.seq;
  const shownEvents = useMemo(
    () => (shownSeq === undefined ? events : events.filter((event) => event.seq <= shownSeq)),
    [events, shownSeq],
  );

  if (state === undefined) return <h1 class="muted">{isListLoaded ? 'Session not found' : 'Loading…'}</h1>;
  if (route.isChats && isOwner && isLive) {
    return <ChatsPage id={id} name={session?.name ?? ''} state={state} chatId={route.chatId} />;
  }
  const interruptions = (
    <Card title={isLive ? 'Interruptions' : 'Interruptions and deletion'} id="interruptions">
      <ReasonChart interruptions={interruptionsOf(events)} empty="No interruptions so far." />
    </Card>
  );
  return (
    <>
      <SessionHeader
        id={id}
        session={session}
        state={state}
        ownName={summary === undefined ? '' : ownName(summary)}
        lastEvent={lastEvent}
        frozenSince={frozenAt(events)}
        isOwner={isOwner && isLive}
      >
        {state !== 'deleted' && (
          <SessionActions id={id} summary={summary} isOwner={isOwner} onDeleting={setDeleting} onSecret={onSecret} />
        )}
      </SessionHeader>
      <div class="columns">
        <Card
          title="State"
          id="chart"
          aside={<ShownTime replay={replay} isDeleted={state === 'deleted'} onLatest={() => setSeq(undefined)} />}
        >
          <EventSlider events={events} seq={seq} onSelect={setSeq} />
          <StateChart
            state={replay?.state ?? state}
            events={shownEvents}
            deadlines={replay?.deadlines ?? lastEvent?.data.deadlines ?? []}
            now={replay === undefined ? now : epochMs(replay.created)}
          />
        </Card>
        <div class="stack">
          {isLive && !hasSecret && <OwnerAccess id={id} onUnlocked={() => setHasSecret(true)} />}
          {isOwner && isLive && <Login id={id} state={state} session={session} lastEvent={lastEvent} />}
          {isOwner && isLive && state === 'connected' && <SendForm id={id} hasSandbox={sandboxUrl !== ''} />}
          {!isLive && interruptions}
          {sandboxUrl !== '' && isLive && <SandboxPhone sandboxUrl={sandboxUrl} qrcode={session?.qrcode ?? ''} />}
        </div>
      </div>
      <Timeline events={events} seq={seq} replay={replay} onSelect={setSeq} isOwner={isOwner} />
      {isLive && (
        <div class="columns even">
          <WebhookCard
            id={id}
            isOwner={isOwner}
            hasWebhook={summary?.hasWebhook ?? false}
            lastSeq={lastEvent?.seq ?? 0}
          />
          {interruptions}
        </div>
      )}
    </>
  );
}

interface ShownTimeProps {
  /** Undefined: the latest state is shown. */
  replay: PastSession | undefined;
  isDeleted: boolean;
  onLatest: () => void;
}

/** Whether the chart shows the session live, or at which time of the past. */
function ShownTime({ replay, isDeleted, onLatest }: ShownTimeProps) {
  if (replay === undefined)
    return <p class={isDeleted ? 'shown-time' : 'shown-time live'}>{isDeleted ? 'Ended' : 'Live'}</p>;
  return (
    <p class="shown-time">
      {`As of ${formatTime(replay.created)}`}
      <button type="button" class="plain" onClick={onLatest}>
        {isDeleted ? 'Show the end' : 'Back to live'}
      </button>
    </p>
  );
}
