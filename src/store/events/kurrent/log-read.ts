import type { Readable } from 'node:stream';
import {
  type RecordedEvent as ClientEvent,
  convertToCommandError,
  type KurrentDBClient,
} from '@kurrent/kurrentdb-client';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { nextTurn } from '../../../../actors/kit/next-turn.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { createBell } from './bell.ts';
import { openCall } from './grpc-half.ts';
import { clientEvent } from './recorded-event.ts';
import { noAnswerWithin } from './server-answer.ts';
import { maxWaitingEvents, type SubscriptionOptions, streamFilter, windowEvents } from './subscription.ts';

/** Timeout of each event. The server is silent as long as no event matches: then a subscription has to go on. */
const answerMs = 2000;

/**
 * Reads all streams up to the end, in batches. A subscription that begins at the same place gets the same events, but the
 * server takes longer for each.
 * @throws {TimeoutError} the server is silent. @throws the error that ended the call.
 */
export async function* readLog(
  client: KurrentDBClient,
  clock: Clock,
  { after, prefixes, signal }: Omit<SubscriptionOptions, 'types'>,
): AsyncGenerator<ClientEvent[]> {
  const opening = openCall<Readable & { cancel(): void }>(client, 'readAll', (service, ...call) =>
    service.read(request(after, prefixes), ...call),
  );
  const responses = await withTimeout(
    clock,
    answerMs,
    () => noAnswerWithin(answerMs),
    () => opening,
  );
  const bell = createBell();
  let waiting: ClientEvent[] = [];
  let end: { error?: unknown } | undefined;
  responses.on('data', (response: streams.ReadResp) => {
    const record = response.getEvent()?.getEvent();
    if (record !== undefined) waiting.push(clientEvent(record));
    if (waiting.length >= maxWaitingEvents) responses.pause();
    bell.ring();
  });
  const endWith = (how: { error?: unknown }): void => {
    end ??= how;
    bell.ring();
  };
  responses.on('error', (error) => endWith({ error: convertToCommandError(error) }));
  responses.on('end', () => endWith({}));
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      if (waiting.length > 0) {
        const events = waiting;
        waiting = [];
        // The server begins with the event at the position itself.
        yield events[0]?.position?.commit === after ? events.slice(1) : events;
        responses.resume();
        continue;
      }
      if (end !== undefined) {
        if (end.error !== undefined) throw end.error;
        return;
      }
      await withTimeout(clock, answerMs, () => noAnswerWithin(answerMs), bell.rung);
      // What has arrived with it is taken at once: each batch has its price.
      await nextTurn();
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    responses.cancel();
  }
}

function request(after: bigint | undefined, prefixes: readonly string[] | undefined): streams.ReadReq {
  const all = new streams.ReadReq.Options.AllOptions();
  if (after === undefined) all.setStart(new shared.Empty());
  else {
    const position = new streams.ReadReq.Options.Position();
    all.setPosition(position.setCommitPosition(String(after)).setPreparePosition(String(after)));
  }
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  const filter = streamFilter(prefixes);
  if ('regex' in filter) expression.setRegex(filter.regex);
  else expression.setPrefixList(filter.prefixes);
  const options = new streams.ReadReq.Options()
    .setAll(all)
    .setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS)
    .setCount(String(Number.MAX_SAFE_INTEGER))
    .setFilter(
      new streams.ReadReq.Options.FilterOptions()
        .setStreamIdentifier(expression)
        .setMax(windowEvents)
        .setCheckpointintervalmultiplier(1),
    )
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
  return new streams.ReadReq().setOptions(options);
}
