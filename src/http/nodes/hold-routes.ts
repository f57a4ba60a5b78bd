import { Type } from 'typebox';
import { ExternalIdUsedError } from '../../../actors/runtime/sessions.ts';
import { type Held, HeldHere, type HeldHereDeps } from '../../hop/held-here.ts';
import { externalIdHolds, type HoldAnswer, sessionLimitHolds } from '../../hop/holds-elsewhere.ts';
import { SessionLimitError } from '../../keys/limits/session-limits.ts';
import type { App, AppDeps } from '../shared/app-types.ts';

const HoldBody = Type.Object({ id: Type.String(), key: Type.String(), holder: Type.String() });
const HoldEndBody = Type.Object({ id: Type.String(), position: Type.String({ pattern: String.raw`^\d{1,20}$` }) });

/** `POST /nodes/external-ids`, `/nodes/session-limits` and their `…/end`: what this node holds for commands of the others. */
export function holdRoutes(app: App, deps: HeldHereDeps & Pick<AppDeps, 'sessions' | 'sessionLimits'>): void {
  const { sessions, sessionLimits } = deps;
  const kinds: Readonly<Record<string, Held>> = {
    [externalIdHolds]: {
      take: ({ key, holder }) => sessions.holdExternalId(key, holder),
      isRefusal: (error) => error instanceof ExternalIdUsedError,
    },
    [sessionLimitHolds]: {
      take: ({ holder }) => sessionLimits.hold(holder),
      isRefusal: (error) => error instanceof SessionLimitError,
    },
  };
  for (const [path, kind] of Object.entries(kinds)) {
    const held = new HeldHere(deps, kind);
    app.addHook('onClose', async () => held.stop());
    app.post(path, { schema: { body: HoldBody } }, ({ body }): HoldAnswer => held.hold(body));
    app.post(`${path}/end`, { schema: { body: HoldEndBody } }, ({ body }) => {
      held.end(body);
      return {};
    });
  }
}
