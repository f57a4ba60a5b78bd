import type { RecordedEvent, SubscribeOptions } from './event-store.ts';

/** What stores share of reading and following all streams. */

/** What is read or followed. */
type Wanted = Pick<SubscribeOptions, 'prefixes' | 'types'>;

/** @throws {RangeError} an empty list of prefixes or types, which might mean all or none; or types without prefixes */
export function mustSayWhatIsWanted({ prefixes, types }: Wanted): void {
  if (prefixes?.length === 0) throw new RangeError('a list of prefixes needs a prefix');
  if (types?.length === 0) throw new RangeError('a list of types needs a type');
  if (types !== undefined && prefixes === undefined) throw new RangeError('types are wanted of streams with a prefix');
}

/** Whether an event is among what is wanted. */
export function isWanted(
  { prefixes, types }: Wanted,
  { stream, type }: Pick<RecordedEvent, 'stream' | 'type'>,
): boolean {
  return (prefixes?.some((prefix) => stream.startsWith(prefix)) ?? true) && (types?.includes(type) ?? true);
}
