import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { secretOf } from '../api/credentials.ts';
import { readSession } from '../api/sessions.ts';
import type { AuditEntry, SessionSummary } from '../api/types.ts';
import { StateChart } from '../chart/state-chart.tsx';
import { msOf, time } from '../parts/format.ts';
import { Reasons } from '../parts/reason-chart.tsx';
import { Card } from '../parts/use-action.tsx';
import { useNow } from '../parts/use-now.ts';
import { usePolled } from '../parts/use-polling.ts';
import { Scrubber } from './event-slider.tsx';
import { lossesOf } from './interruptions.ts';
import { Login } from './login.tsx';
import { Disclose } from './owner-access.tsx';
import { Phone } from './sandbox-phone.tsx';
import { SendForm } from './send-form.tsx';
import { SessionHead } from './session-header.tsx';
import { TimeLine } from './timeline.tsx';
import { useEvents } from './use-events.ts';
import { useReplay } from './use-replay.ts';
import { Webhook } from './webhook-card.tsx';

interface Props {
  id: string;
  /** Undefined until the list has it. */
  summary: SessionSummary | undefined;
  isListRead: boolean;
  sandboxUrl: string;
  onChange: () => void;
}

const readEveryMs = 2_000;

export function SessionPage({ id, summary, isListRead, sandboxUrl, onChange }: Props) {
  const [hasSecret, setHasSecret] = useState(secretOf(id) !== null);
  // A session that is gone answers its owner no more; the operator may still look at it.
  const wasDeleted = summary?.state === 'deleted';
  const [isLeaving, setLeaving] = useState(false);
  const isOwner = hasSecret && !wasDeleted;
  const events = useEvents(id, isOwner);
  const last = events.at(-1);
  const state = last?.state ?? summary?.state;
  const isLive = state !== undefined && state !== 'deleted' && !isLeaving;
  const read = useCallback((signal: AbortSignal) => readSession(id, signal), [id]);
  const { value: session, refresh } = usePolled(isOwner && isLive ? read : undefined, readEveryMs);
  useEffect(refresh, [last?.seq, refresh]);
  useEffect(onChange, [last?.state, onChange]);

  const [seq, setSeq] = useState<number>();
  const replay = useReplay(id, isOwner, seq);
  const now = useNow();
  const shownSeq = replay?.seq;
  const until = useMemo(
    () => (shownSeq === undefined ? events : events.filter((event) => event.seq <= shownSeq)),
    [events, shownSeq],
  );

  if (state === undefined) return <h1 class="quiet">{isListRead ? 'There is no such session' : 'Loading…'}</h1>;
  return (
    <>
      <SessionHead
        id={id}
        session={session}
        state={state}
        last={last}
        isOwner={isOwner && isLive}
        onLeaving={setLeaving}
      />
      <div class="columns">
        <Card
          title="State"
          id="chart"
          class="chart-card"
          aside={
            replay === undefined ? (
              <p class={state === 'deleted' ? 'moment' : 'moment live'}>{state === 'deleted' ? 'Ended' : 'Live'}</p>
            ) : (
              <p class="moment">
                {`As it was at ${time(replay.created)}`}
                <button type="button" class="plain" onClick={() => setSeq(undefined)}>
                  {state === 'deleted' ? 'To the end' : 'Back to live'}
                </button>
              </p>
            )
          }
        >
          <Scrubber events={events} seq={seq} onSeq={setSeq} />
          <StateChart
            state={replay?.state ?? state}
            events={until}
            deadlines={replay?.deadlines ?? last?.data.deadlines ?? []}
            now={replay === undefined ? now : msOf(replay.created)}
          />
        </Card>
        <div class="stack">
          {isLive && !hasSecret && <Disclose id={id} onSecret={() => setHasSecret(true)} />}
          {isOwner && isLive && <Login id={id} state={state} session={session} />}
          {isOwner && isLive && state === 'connected' && <SendForm id={id} isSandbox={sandboxUrl !== ''} />}
          {!isLive && <Losses events={events} />}
          {sandboxUrl !== '' && isLive && <Phone sandboxUrl={sandboxUrl} qrcode={session?.qrcode ?? ''} />}
        </div>
      </div>
      <TimeLine events={events} seq={seq} replay={replay} onSeq={setSeq} isOwner={isOwner} />
      {isLive && (
        <div class="columns even">
          <Webhook id={id} isOwner={isOwner} hasWebhook={summary?.hasWebhook ?? false} seq={last?.seq ?? 0} />
          <Losses events={events} />
        </div>
      )}
    </>
  );
}

function Losses({ events }: { events: readonly AuditEntry[] }) {
  return (
    <Card title="Why it was out of reach or gone" id="losses">
      <Reasons ended={lossesOf(events)} empty="It never was." />
    </Card>
  );
}
