import type { Sessions } from '../../../actors/runtime/sessions.ts';
import { sessionIdOf } from '../../../actors/session/events.ts';
import type { ProjectionRunner } from '../../../projections/projection-runner.ts';
import { type DeletedSessionDeps, forgetDeletedSession } from './deleted-sessions.ts';
import { takeBackNames } from './take-back-names.ts';

interface ShownDeps extends DeletedSessionDeps {
  views: Pick<ProjectionRunner, 'get' | 'caughtUp' | 'onShown'>;
  sessions: Pick<Sessions, 'foundRecorded' | 'rename'>;
}

/** Tells the sessions what is recorded of them, by whomever, from the time on when the views have caught up. */
export function tellOfShown(deps: ShownDeps): void {
  const { views, sessions } = deps;
  views.onShown(({ stream, revision }) => {
    // What was there before, a start reads.
    if (!views.caughtUp) return;
    const id = sessionIdOf(stream);
    sessions.foundRecorded(id, revision);
    forgetDeletedSession(deps, id);
    takeBackNames(deps, id);
  });
}
