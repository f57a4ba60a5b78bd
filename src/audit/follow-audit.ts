import type { ReadSessionDeps } from '../../actors/runtime/read-session.ts';
import { sessionLifecycle } from '../../actors/session/lifecycle.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import type { SessionViews } from '../../projections/session-view.ts';
import { readAudit } from './read-audit.ts';

type FollowAuditDeps = ReadSessionDeps & { views: Pick<SessionViews, 'get' | 'onChange'> };

/** Where the events begin for a reader that has seen the event with this number: at the end, if there is no such event. */
export async function resumeAt(deps: FollowAuditDeps, id: string, after: number): Promise<number> {
  const last = (deps.views.get(id)?.revision ?? -1) + 1;
  if (after <= last) return after;
  // The views may lag behind the log.
  for await (const _event of readAudit(deps, id, after - 1, 1)) return after;
  return last;
}

/**
 * The events of a session after the one with this number, then new ones, each once and in order, and none before the session's
 * view has it. A wake-up only triggers a read by number. Ends when the session is deleted.
 * @throws the signal's reason
 */
export async function* followAudit(
  deps: FollowAuditDeps,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RecordedSessionEvent, void> {
  const bell = new Bell(signal);
  const stopListening = deps.views.onChange(id, () => bell.ring());
  /** Infinity: there is no view to wait for. */
  const viewedRevision = (): number => deps.views.get(id)?.revision ?? Infinity;
  try {
    let viewed = viewedRevision();
    for (let next = after; ; ) {
      for await (const event of readAudit(deps, id, next)) {
        signal.throwIfAborted();
        while (event.revision > viewed) {
          viewed = viewedRevision();
          if (event.revision > viewed) await bell.rung();
        }
        yield event;
        next = event.revision + 1;
        if (sessionLifecycle.isFinal(event.metadata.to)) return;
      }
      const view = deps.views.get(id);
      if (view === undefined || (view.ended && next > view.revision)) return;
      await bell.rung();
    }
  } finally {
    stopListening();
    bell.dispose();
  }
}

/** A signal for one reader that is kept until it is awaited. */
class Bell {
  readonly #signal: AbortSignal;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    if (signal.aborted) this.ring();
    else signal.addEventListener('abort', this.ring);
  }

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  /** @throws the signal's reason */
  async rung(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#rung = false;
    this.#wake = undefined;
    this.#signal.throwIfAborted();
  }

  dispose(): void {
    this.#signal.removeEventListener('abort', this.ring);
  }
}
