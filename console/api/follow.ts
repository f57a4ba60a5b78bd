import { eventParser, type StreamEvent } from './event-parser.ts';
import { proof, root } from './request.ts';

/** What is waited before a stream that broke is asked for again, unless it says otherwise. */
const retryMs = 2_000;
/** Asked again, they would be the same; all others pass. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * Server-sent events by `fetch`, since an `EventSource` sends no headers. A stream that breaks is taken up where it
 * was, until the signal ends it, or the gateway says that there is no such stream.
 * @param path without its query
 */
export async function follow(
  path: string,
  session: string | undefined,
  signal: AbortSignal,
  onEvents: (events: StreamEvent[]) => void,
): Promise<void> {
  let last = '0';
  while (!signal.aborted) {
    try {
      const response = await fetch(new URL(`${path}?after=${last}`, root), { headers: proof(session), signal });
      if (refusals.has(response.status)) return;
      if (response.ok && response.body !== null) {
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        const parse = eventParser();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          const events = parse(part.value);
          last = events.at(-1)?.id ?? last;
          if (events.length > 0) onEvents(events);
        }
      }
    } catch {
      if (signal.aborted) return;
    }
    await pause(retryMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
