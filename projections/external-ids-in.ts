import type { SessionViews } from './session-view.ts';

/** Who has which external ID in the views of this process: an `ExternalIdIndex` of the commands. */
export function externalIdsIn(views: SessionViews) {
  const waitFor = (position: bigint): Promise<void> => views.waitFor(position);
  return {
    holderOf: (key: string): string | undefined => views.byExternalKey(key)?.id,
    shows: waitFor,
    waitFor,
  };
}
