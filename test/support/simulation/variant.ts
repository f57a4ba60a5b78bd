/**
 * What a run has beside the usual trouble: appends that reach the store after their outcome was settled, events that
 * nobody can read, a wall clock that is set, or a rival at every turn.
 */
export type Variant = 'usual' | 'late commits' | 'unreadable events' | 'clock steps' | 'rivals';

/** How far the wall clock is ever wrong. */
export const farthestStepMs = 2 * 3_600_000;
