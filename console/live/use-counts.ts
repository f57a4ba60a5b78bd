import { useMemo } from 'preact/hooks';
import { sessionStates } from '../../actors/session/events.ts';
import { loadStateCounts } from '../api/sessions.ts';
import type { StateCounts } from '../list/state-choice.tsx';
import { useLoaded } from './use-loaded.ts';

/** How many sessions are in each state now. @param version another number when sessions have changed */
export function useCounts(version: number): StateCounts | undefined {
  const { value: states } = useLoaded(loadStateCounts, version);
  return useMemo(() => {
    if (states === undefined) return undefined;
    const any = sessionStates.reduce((sum, state) => sum + states[state], 0);
    return { ...states, any, live: any - states.deleted };
  }, [states]);
}
