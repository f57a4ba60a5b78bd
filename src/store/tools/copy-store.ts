import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventReader, EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { CommandError } from '../../errors/command-error.ts';
import { clearCopyMark, copyMarkStream, readCopyMark, setCopyMark } from './copy-mark.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { OrderedAppender } from './ordered-appender.ts';
import type { CommandProgress } from './progress.ts';
import { countEvents, isCopied, isWithin, type Survey, surveyStore } from './survey.ts';

export interface CopyStoreOptions {
  from: EventReader;
  to: EventStore;
  /** Names of the two stores, without secrets. */
  names: { from: string; to: string };
  /** Appends in flight, of different streams. */
  appendsAtOnce: number;
  randomness: Pick<Randomness, 'uuid'>;
  progress: Pick<CommandProgress, 'begin'>;
  /** Called for each event whose content is damaged. It is copied without its content; place and ID stay. */
  onDamaged: (event: RecordedEvent) => void;
}

export interface StoreCopy {
  streams: number;
  events: number;
  /** Events that this run has copied. */
  copied: number;
  /**
   * Whether the order across streams is the same too. Nothing depends on it; an outage of the server during the copy may
   * change it.
   */
  sameOrder: boolean;
}

/** More differences are only counted. */
const shownDifferences = 10;

/**
 * Copies a whole store. Streams, revisions, event IDs, types, data, metadata and the order of all events stay; positions
 * and times of recording are the target's own. If it is killed, the next run continues. No program may write to either
 * store meanwhile.
 * @throws {CommandError} the target holds other events, or the copy differs from the source.
 */
export async function copyStore(options: CopyStoreOptions): Promise<StoreCopy> {
  const { from, to, names } = options;
  const survey = await surveyStore(from);
  const mark = await readCopyMark(to);
  const lasts = await lastRevisions(to);
  if (mark === undefined && lasts.size > 0) {
    // The target may be a finished copy.
    const { found, sameOrder } = await compare(options);
    if (found.length > 0) throw new CommandError(`${names.to} holds other things already`);
    return { streams: survey.size, events: countEvents(survey), copied: 0, sameOrder };
  }
  if (mark !== undefined && mark !== names.from) {
    throw new CommandError(`${names.to} holds a copy of ${mark} that was begun and not finished`);
  }
  await setCopyMark(to, names.from, options.randomness);
  await eraseObsolete(to, lasts, survey);
  const copied = await copyEvents(options, survey, lasts);
  await truncateAlike(to, survey);
  const { found, sameOrder } = await compare(options);
  if (found.length > 0) throw new CommandError(complaint(found));
  await clearCopyMark(to);
  return { streams: survey.size, events: countEvents(survey), copied, sameOrder };
}

async function lastRevisions(store: EventReader): Promise<Map<string, number>> {
  const lasts = new Map<string, number>();
  for await (const { stream, revision } of store.lastOfEach('')) {
    if (stream !== copyMarkStream && isCopied(stream)) lasts.set(stream, revision);
  }
  return lasts;
}

/** Erases streams that the source has erased since an earlier, unfinished run. */
async function eraseObsolete(to: EventStore, lasts: Map<string, number>, survey: Survey): Promise<void> {
  for (const stream of lasts.keys()) {
    if (survey.has(stream)) continue;
    await to.erase(stream);
    lasts.delete(stream);
  }
}

async function copyEvents(
  { from, to, appendsAtOnce, randomness, progress, onDamaged }: CopyStoreOptions,
  survey: Survey,
  lasts: Map<string, number>,
): Promise<number> {
  const appender = new OrderedAppender({ store: to, lasts, appendsAtOnce, randomness });
  const before = new Map(lasts);
  const report = progress.begin('copied');
  const total = countEvents(survey);
  let done = 0;
  let copied = 0;
  for await (const event of from.readAll()) {
    if (!isWithin(survey, event)) continue;
    done += 1;
    if (event.damage !== undefined) onDamaged(event);
    if (event.revision > (before.get(event.stream) ?? -1)) {
      await appender.add(event);
      copied += 1;
    }
    report(done, total);
  }
  await appender.flush();
  return copied;
}

async function truncateAlike(to: EventStore, survey: Survey): Promise<void> {
  const truncated = [...survey].filter(([, { first }]) => first > 0);
  const atOnce = 64;
  for (let at = 0; at < truncated.length; at += atOnce) {
    await Promise.all(truncated.slice(at, at + atOnce).map(([stream, { first }]) => to.truncate(stream, first)));
  }
}

/** Reads both stores once more. */
async function compare({ from, to, progress }: CopyStoreOptions): Promise<{ found: string[]; sameOrder: boolean }> {
  const source = await fingerprint(from, await surveyStore(from), progress.begin('read again: source'));
  const copied = new Map(await surveyStore(to));
  copied.delete(copyMarkStream);
  const copy = await fingerprint(to, copied, progress.begin('read again: copy'));
  return { found: differences(source, copy), sameOrder: source.order === copy.order };
}

function complaint(found: readonly string[]): string {
  const rest = found.length - shownDifferences;
  return [
    'the copy is not the same as its source. Stop every program that writes to one of them, and run this again.',
    ...found.slice(0, shownDifferences),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ].join('\n  ');
}
