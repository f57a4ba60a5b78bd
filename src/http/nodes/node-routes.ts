import { type Static, Type } from 'typebox';
import { GatewayError } from '../../errors/gateway-error.ts';
import { hopHeader } from '../../hop/hop-header.ts';
import { type KeyAnswer, loginsPath } from '../../hop/login-elsewhere.ts';
import { digestOf } from '../../hop/node-calls.ts';
import { type SeenAnswer, seenPath } from '../../hop/seen-everywhere.ts';
import { type BacklogAnswer, backlogPath } from '../../hop/whole-backlog.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { viewsAt } from '../shared/read-your-writes.ts';

type Deps = Pick<AppDeps, 'views' | 'keys' | 'clock' | 'deliveries' | 'hops'>;

/** The asking node waits no longer (ADR 21). */
const seenMs = 1_000;

const SeenBody = Type.Object({
  position: Type.Optional(Type.String({ pattern: String.raw`^\d{1,20}$` })),
  keys: Type.Optional(Type.Boolean()),
});
const LoginBody = Type.Object({ hash: Type.String() });
const BacklogBody = Type.Object({ tenant: Type.Optional(Type.String()) });

/** `POST /nodes/…`: what the nodes ask each other (ADR 21). They are there for nobody else, and in no document. */
export function nodeRoutes(app: App, deps: Deps): void {
  scopeOfGroup(app, 'anyone');
  acceptSignedBodies(app);
  app.post(seenPath, { schema: { body: SeenBody } }, async ({ body }): Promise<SeenAnswer> => {
    await seen(deps, body);
    return { position: String(deps.views.position) };
  });
  app.post(
    loginsPath,
    { schema: { body: LoginBody } },
    ({ body }): KeyAnswer => ({ isUsed: deps.hops?.hasLogin(body.hash) === true }),
  );
  app.post(backlogPath, { schema: { body: BacklogBody } }, ({ body }): BacklogAnswer => {
    const { pending, oldestAt } = deps.deliveries.backlogOf(body.tenant);
    return { pending, oldestAt: oldestAt ?? null };
  });
}

async function seen(deps: Deps, { position, keys }: Static<typeof SeenBody>): Promise<void> {
  if (keys) await deps.keys.catchUp();
  if (position === undefined) return;
  // The answer says how far they are.
  await viewsAt(deps, BigInt(position), seenMs, () => new Error('the views are late')).catch(() => undefined);
}

/** Only another node has signed its body. */
function acceptSignedBodies(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.hop?.digest === undefined ? new GatewayError(403, `${hopHeader} is required`) : undefined);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (request.hop?.digest !== digestOf(bytes)) done(new GatewayError(403, `${hopHeader} is forged`));
    else done(null, JSON.parse(bytes.toString()));
  });
}
