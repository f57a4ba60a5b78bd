import { type CommandOrigin, ExternalIdUsedError, type Recorded } from '../../../actors/runtime/sessions.ts';
import { externalKey } from '../../../actors/session/external-key.ts';
import type { Pace, SessionNames } from '../../../actors/session/session-settings.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { originOf } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { type ChangedSession, ChangesBody, type PaceResponse } from './schemas.ts';
import { iso } from './session-object.ts';

type Deps = Pick<AppDeps, 'sessions' | 'views' | 'clock' | 'paces' | 'hops'>;

/** `PATCH /session` (OS1, OS7) and `GET /session/pace`. */
export function changeRoutes(app: App, deps: Deps): void {
  app.patch('/session', { schema: { body: ChangesBody } }, (request) =>
    change(deps, request.view, request.body, originOf(request)),
  );
  app.get('/session/pace', async ({ view: { id, pace } }): Promise<PaceResponse> => {
    if (pace === undefined) return { id, pace: null, waiting: 0, nextTurn: '', lastMinute: 0, newChats: 0 };
    const { nextTurn, ...use } = await deps.paces.of(id).line.use();
    return { id, pace, ...use, nextTurn: iso(nextTurn) };
  });
}

/** `PATCH /sessions/{id}`: the same with a key (`sessions:control`). */
export function operatorChangeRoute(app: App, deps: Deps): void {
  app.patch('/sessions/:id', { schema: { body: ChangesBody } }, (request) =>
    change(deps, request.view, request.body, originOf(request)),
  );
}

async function change(
  deps: Deps,
  view: SessionView,
  { pace, ...names }: ChangesBody,
  origin: CommandOrigin,
): Promise<ChangedSession> {
  const { sessions } = deps;
  const { id } = view;
  if (pace) requireLimit(pace);
  let position = 0n;
  if (names.externalId !== undefined || names.label !== undefined) {
    ({ position } = await rename(deps, view, names, origin));
  }
  if (pace !== undefined) ({ position } = await sessions.setPace(id, pace, origin));
  const changed = await readYourWrites(deps, id, position);
  if (changed === undefined || changed.ended) throw sessionNotFound();
  if (pace !== undefined) deps.paces.changed(id);
  return changedSession(changed);
}

/** The owner of an external ID, which may be another node, keeps it unique. */
function rename(
  { sessions, hops }: Deps,
  { id, tenant }: SessionView,
  names: SessionNames,
  origin: CommandOrigin,
): Promise<Recorded> {
  const command = (): Promise<Recorded> => sessions.rename(id, { ...names, tenant }, origin);
  if (!names.externalId || hops === undefined) return command();
  const refused = (reason: string): Error => new ExternalIdUsedError(reason);
  return hops.externalIds.during({ key: externalKey(names.externalId, tenant), holder: id }, command, refused);
}

/** @throws {GatewayError} 400 */
function requireLimit({ perMinute, newChatsPerDay }: Pace): void {
  if (perMinute === undefined && newChatsPerDay === undefined)
    throw new GatewayError(400, 'pace must have perMinute or newChatsPerDay');
}

const changedSession = ({ id, externalId = '', label = '', pace }: SessionView): ChangedSession => ({
  id,
  externalId,
  label,
  pace: pace ?? null,
});
