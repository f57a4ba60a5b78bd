import { LightAbort, type LightAbortSignal, onFirstAbort } from '../../../actors/kit/light-abort.ts';

/**
 * Prepares several files at the same time. The first failure ends the work on the others, and is thrown when none of
 * them is under way any more.
 * @param prepare gets a request, its place and a signal that ends it
 * @returns the results in the order of the requests
 * @throws the first failure, or the signal's reason
 */
export async function prepareAll<R, T>(
  requests: readonly R[],
  signal: LightAbortSignal,
  prepare: (request: R, place: number, stop: LightAbortSignal) => Promise<T>,
): Promise<T[]> {
  signal.throwIfAborted();
  const stop = new LightAbort();
  const stopListening = onFirstAbort([signal], (reason) => stop.abort(reason));
  const results = await Promise.all(
    requests.map((request, place) =>
      prepare(request, place, stop).catch((error: unknown) => {
        stop.abort(error instanceof Error ? error : new Error('a file could not be prepared', { cause: error }));
        return undefined;
      }),
    ),
  );
  stopListening();
  stop.throwIfAborted();
  return results as T[];
}
