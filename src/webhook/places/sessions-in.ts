import { inTurns } from '../../../actors/kit/next-turn.ts';
import type { Partitions } from '../../../actors/ports/ownership.ts';
import type { SessionViews } from '../../../projections/session-view.ts';

/** IDs that are read and looked at in a turn of the event loop: about 1 ms. */
const idsPerTurn = 500;

/** The IDs of the sessions of these partitions that are not deleted, in their order. */
export async function sessionIdsIn(views: Pick<SessionViews, 'liveIds'>, partitions: Partitions): Promise<string[]> {
  const found: string[] = [];
  for await (const page of inTurns(pagesOf(views), 1)) found.push(...page.filter((id) => partitions.has(id)));
  return found;
}

function* pagesOf(views: Pick<SessionViews, 'liveIds'>): Generator<string[]> {
  for (let after = ''; ; ) {
    const page = views.liveIds(after, idsPerTurn);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < idsPerTurn) return;
    after = last;
  }
}
