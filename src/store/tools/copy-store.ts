import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventReader, EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { CommandError } from '../../errors/command-error.ts';
import { clearCopyMark, copyMarkStream, readCopyMark, setCopyMark } from './copy-mark.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { OrderedAppender } from './ordered-appender.ts';
import type { CommandProgress } from './progress.ts';
import { countEvents, isServersOwn, isWithin, type Survey, surveyStore } from './survey.ts';

export interface CopyStoreOptions {
  from: EventReader;
  to: EventStore;
  /** What the two are called, without secrets. */
  names: { from: string; to: string };
  /** Appends under way together, of different streams. */
  appendsAtOnce: number;
  randomness: Pick<Randomness, 'uuid'>;
  progress: Pick<CommandProgress, 'begin'>;
  /** Called for each event whose content is damaged. It is copied without it: its place and its ID stay. */
  onDamaged: (event: RecordedEvent) => void;
}

export interface StoreCopy {
  streams: number;
  events: number;
  /** Not there before. */
  copied: number;
  /**
   * Whether the streams' events also lie in between one another as they did. Nothing depends on that, and a server that
   * goes away in the middle may change it.
   */
  sameOrder: boolean;
}

/** The rest of what differs is only counted. */
const shownDifferences = 10;

/**
 * Copies a whole store: streams, revisions, event IDs, types, data, metadata and the order of all stay; positions and
 * times of recording are the target's own. Killed at any moment, it goes on when it is run again. Nobody may write to
 * either store meanwhile.
 * @throws {CommandError} the target holds other things, or is not the same in the end.
 */
export async function copyStore(options: CopyStoreOptions): Promise<StoreCopy> {
  const { from, to, names } = options;
  const survey = await surveyStore(from);
  const mark = await readCopyMark(to);
  const lasts = await lastRevisions(to);
  if (mark === undefined && lasts.size > 0) {
    // A copy that was finished before is as good as one that is made now.
    const { found, sameOrder } = await compare(options);
    if (found.length > 0) throw new CommandError(`${names.to} holds other things already`);
    return { streams: survey.size, events: countEvents(survey), copied: 0, sameOrder };
  }
  if (mark !== undefined && mark !== names.from) {
    throw new CommandError(`${names.to} holds a copy of ${mark} that was begun and not finished`);
  }
  await setCopyMark(to, names.from, options.randomness);
  await eraseStrangers(to, lasts, survey);
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
    if (stream !== copyMarkStream && !isServersOwn(stream)) lasts.set(stream, revision);
  }
  return lasts;
}

/** What the source had when the copy was begun, and has erased since. */
async function eraseStrangers(to: EventStore, lasts: Map<string, number>, survey: Survey): Promise<void> {
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

/** Reads both once more, as they are now. */
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
    'the copy is not the same as its source. Does somebody write to one of them? Run this again when nobody does.',
    ...found.slice(0, shownDifferences),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ].join('\n  ');
}
