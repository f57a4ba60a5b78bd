import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** The delay before a reconnect, in milliseconds, until the stream itself sends another one in `retry`. */
const defaultRetryMs = 2_000;
/** Statuses that a retry would not change. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404]);

export type StreamEvent = EventSourceMessage;

interface Stream {
  /**
   * Requests the stream by `fetch`: an `EventSource` cannot send headers.
   * @param lastEventId the response continues after this event; `0` asks for all events
   */
  open: (lastEventId: string) => Promise<Response>;
  /** Gets the events that arrived together, in their order. */
  onEvents: (events: StreamEvent[]) => void;
  /** The stream is open, or open again. */
  onOpen?: () => void;
  /** The stream is broken, or could not be opened. */
  onBreak?: () => void;
  signal: AbortSignal;
}

/**
 * Reads server-sent events. If the stream breaks, it reconnects and continues after the last event that it received.
 * Ends when the signal aborts, or when the server refuses the stream with 400, 401, 403 or 404.
 */
export async function followEvents({ open, onEvents, onOpen, onBreak, signal }: Stream): Promise<void> {
  let lastEventId = '0';
  let retryMs = defaultRetryMs;
  while (!signal.aborted) {
    try {
      const response = await open(lastEventId);
      if (finalStatuses.has(response.status)) return;
      if (response.ok && response.body !== null) {
        onOpen?.();
        let arrived: StreamEvent[] = [];
        const parser = createParser({
          onEvent: (event) => arrived.push(event),
          onRetry: (ms) => {
            retryMs = ms;
          },
        });
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          parser.feed(part.value);
          if (arrived.length === 0) continue;
          lastEventId = arrived.at(-1)?.id ?? lastEventId;
          onEvents(arrived);
          arrived = [];
        }
      }
    } catch {
      // The connection broke. The next attempt continues after `lastEventId`.
    }
    if (!signal.aborted) onBreak?.();
    await pause(retryMs, signal);
  }
}

/** Ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
