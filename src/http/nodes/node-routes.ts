import { type Static, Type } from 'typebox';
import type { Cluster } from '../../cluster/cluster.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type HeldSessionsAnswer, heldSessionsPath } from '../../hop/held-elsewhere.ts';
import { hopHeader } from '../../hop/hop-header.ts';
import { type LoginUse, loginsPath } from '../../hop/login-elsewhere.ts';
import { digestOf } from '../../hop/node-calls.ts';
import { type SeenAnswer, seenPath } from '../../hop/seen-everywhere.ts';
import { type SentAnswer, sentPath } from '../../hop/sent-elsewhere.ts';
import { type SessionCountAnswer, sessionCountPath } from '../../hop/session-counts.ts';
import { type WebhookStatusAnswer, webhookStatusPath } from '../../hop/webhook-statuses.ts';
import { type BacklogAnswer, backlogPath } from '../../hop/whole-backlog.ts';
import { SessionLimitError } from '../../keys/limits/session-limits.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { viewsAt } from '../shared/read-your-writes.ts';
import { statusObject } from '../webhook/webhook-object.ts';
import type { UpgradeOf } from '../websocket/upgrade.ts';
import { channelRoute } from './channel/channel-route.ts';
import { holdRoutes } from './hold-routes.ts';

type Deps = Pick<
  AppDeps,
  'views' | 'keys' | 'clock' | 'clusterKey' | 'deliveries' | 'hops' | 'sessions' | 'operatorWebhooks' | 'sessionLimits'
>;

/** The asking node waits no longer (ADR 21). */
const seenMs = 1_000;

const Position = Type.String({ pattern: String.raw`^\d{1,20}$` });
const SeenBody = Type.Object({
  position: Type.Optional(Position),
  keys: Type.Optional(Type.Boolean()),
});
const LoginBody = Type.Object({ hash: Type.String() });
const SentBody = Type.Object({ account: Type.String(), chatId: Type.String(), messageId: Type.Integer() });
const WebhookStatusBody = Type.Object({ ids: Type.Array(Type.String()) });
const HeldSessionsBody = Type.Object({ ids: Type.Array(Type.String()) });
const BacklogBody = Type.Object({ tenant: Type.Optional(Type.String()) });

/** `POST /nodes/…`: what the nodes ask each other (ADR 21). They are there for nobody else, and in no document. */
export function nodeRoutes(app: App, deps: Deps & { cluster: Cluster }, upgradeOf: UpgradeOf): void {
  scopeOfGroup(app, 'anyone');
  acceptSignedBodies(app);
  holdRoutes(app, deps);
  if (deps.clusterKey !== undefined) channelRoute(app, { ...deps, clusterKey: deps.clusterKey }, upgradeOf);
  deps.sessionLimits.countsElsewhere((root, keyId, create) => {
    const refused = (reason: string): Error => new SessionLimitError(reason);
    return deps.hops === undefined
      ? create()
      : deps.hops.sessionLimits.during({ key: root, holder: keyId }, create, refused);
  });
  app.post(seenPath, { schema: { body: SeenBody } }, async ({ body }): Promise<SeenAnswer> => {
    await seen(deps, body);
    return { position: String(deps.views.position) };
  });
  app.post(
    loginsPath,
    { schema: { body: LoginBody } },
    async ({ body }): Promise<LoginUse> => (await deps.hops?.loginHere(body.hash)) ?? { isUsed: false, partitions: [] },
  );
  app.post(
    sentPath,
    { schema: { body: SentBody } },
    async ({ body }): Promise<SentAnswer> => (await deps.hops?.hasSent(body)) ?? { kind: 'unknown' },
  );
  app.post(sessionCountPath, (): SessionCountAnswer => ({ sessions: deps.sessions.liveCount() }));
  app.post(heldSessionsPath, { schema: { body: HeldSessionsBody } }, ({ body: { ids } }): HeldSessionsAnswer => {
    return { ids: ids.filter((id) => deps.sessions.state(id) === 'held') };
  });
  app.post(webhookStatusPath, { schema: { body: WebhookStatusBody } }, ({ body: { ids } }): WebhookStatusAnswer => {
    const { operatorWebhooks: webhooks, cluster } = deps;
    const own = ids.flatMap((id) => (cluster.owns(id) ? (webhooks.book.get(id) ?? []) : []));
    return { docs: own.map((webhook) => ({ id: webhook.id, status: statusObject(webhooks.status(webhook)) })) };
  });
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
