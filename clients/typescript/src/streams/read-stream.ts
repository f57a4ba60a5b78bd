import { backoffMs, wait } from '../calls/retry.ts';
import { GatewayError, SessionNotFoundError, UnavailableError } from '../errors/errors.ts';
import { serverSentEvents } from './server-sent-events.ts';

/** Opens the stream behind an event, or from where the gateway begins it. @throws {GatewayError} */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * What a stream sends, over broken connections and restarts of the gateway: it goes on behind the last event that was
 * taken. Ends with the session.
 * @throws {GatewayError} if the gateway refuses it; the reason of the signal
 */
export async function* readStream(open: OpenStream, signal?: AbortSignal): AsyncGenerator {
  let lastEventId: string | undefined;
  let isOpened = false;
  for (let failures = 0; ; failures += 1) {
    const ending = new AbortController();
    const end = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    try {
      signal?.throwIfAborted();
      const { body } = await open(lastEventId, ending.signal);
      isOpened = true;
      if (!body) return;
      for await (const { id, data } of serverSentEvents(body)) {
        yield JSON.parse(data);
        if (id !== '') lastEventId = id;
        failures = 0;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isOpened && error instanceof SessionNotFoundError) return;
      if (!isOpened || !isPassing(error)) throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      ending.abort();
    }
    await wait(backoffMs(failures), signal);
  }
}

/** Broken connections, and a gateway that is away or asks to wait. */
export function isPassing(error: unknown): boolean {
  if (error instanceof SyntaxError) return false;
  return !(error instanceof GatewayError) || error instanceof UnavailableError || error.retryAfter !== undefined;
}
