import type { OperatorProgress, SessionBehind, SessionReplay } from './place-codec.ts';
import { SessionLane, type SessionLanes } from './session-lanes.ts';

/** The sessions that are behind. */
export const behindLanes = (place: Pick<OperatorProgress, 'behind'> | undefined): SessionLane[] =>
  Object.entries(place?.behind ?? {}).map(
    ([sessionId, { from, to, count, failing }]) => new SessionLane(sessionId, [[from, to]], count, failing),
  );

/** The sessions of which events are sent once more. */
export const replayLanes = (place: Pick<OperatorProgress, 'replay'> | undefined): SessionLane[] =>
  Object.entries(place?.replay ?? {}).map(
    ([sessionId, { ranges, count, failing }]) => new SessionLane(sessionId, ranges, count, failing),
  );

/** For the checkpoint. What is skipped in between is read again. */
export const behindOf = ({ all }: Pick<SessionLanes, 'all'>): Record<string, SessionBehind> =>
  Object.fromEntries(
    Array.from(all, ({ sessionId, next: { from }, ranges, count, failing }) => [
      sessionId,
      { from, to: ranges.at(-1)?.[1] ?? from, count, ...(failing && { failing }) },
    ]),
  );

/** As {@link behindOf}. */
export const replayOf = ({ all }: Pick<SessionLanes, 'all'>): Record<string, SessionReplay> =>
  Object.fromEntries(
    Array.from(all, ({ sessionId, ranges, count, failing }) => {
      const { attempts, since, nextAt } = failing ?? {};
      const isFailing = attempts !== undefined && since !== undefined && nextAt !== undefined;
      return [sessionId, { ranges, count, ...(isFailing && { failing: { attempts, since, nextAt } }) }];
    }),
  );
