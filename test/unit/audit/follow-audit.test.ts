import { expect, it } from 'vitest';
import { sessionStream } from '../../../actors/session/events.ts';
import type { SessionEvent } from '../../../actors/session/transition-event.ts';
import { ViewListeners } from '../../../projections/view-listeners.ts';
import { followAudit } from '../../../src/audit/follow-audit.ts';
import { createHistory } from '../../support/actors/session-histories.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const id = 'session-of-the-log';

/** A session's whole life is in the log, and the views have seen only its first event yet. */
async function deletedBehindTheViews() {
  const clock = createDrivenClock();
  const history = createHistory(createSeededRandomness(1, clock), clock.now());
  const events: SessionEvent[] = [];
  for (let event = history.next(); event !== undefined; event = history.next()) events.push(event);
  const store = createMemoryStore(clock);
  await store.append(sessionStream(id), 'no-stream', events);
  const listeners = new ViewListeners();
  let open = 0;
  const onChange = (session: string, listener: () => void) => {
    open += 1;
    const stop = listeners.listen(session, listener);
    return () => {
      open -= 1;
      stop();
    };
  };
  const view = { ended: false, revision: 0 };
  const catchUp = (): void => {
    view.revision = events.length - 1;
    listeners.changed(id);
  };
  const deps = { store, reportUnreadable: allReadable, views: { get: () => view as never, onChange } };
  return { deps, events, catchUp, open: () => open };
}

it('[AD3.2] a reader of the log comes to its end with the deletion, as soon as the views have it', async () => {
  const { deps, events, catchUp, open } = await deletedBehindTheViews();
  const seen: string[] = [];
  for await (const event of followAudit(deps, id, 0, new AbortController().signal)) {
    if (seen.length === 0) setImmediate(catchUp);
    seen.push(event.type);
  }
  expect(seen).toEqual(events.map(({ type }) => type));
  expect([events.at(-1)?.metadata.to, open()]).toEqual(['deleted', 0]);
});

it('[AD3.2] a reader that leaves listens to the views no longer', async () => {
  const { deps, open } = await deletedBehindTheViews();
  for await (const _event of followAudit(deps, id, 0, new AbortController().signal)) {
    expect(open()).toBe(1);
    break;
  }
  expect(open()).toBe(0);
});
