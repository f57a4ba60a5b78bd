import { WebhookError } from '../errors/errors.ts';
import type { GatewayEvent } from '../generated/types.ts';
import {
  type Answer,
  bytesOfNode,
  type FastifyLike,
  fastifyPlugin,
  type HonoContext,
  headerIn,
  type NodeRequest,
  type NodeResponse,
} from './frameworks.ts';
import { type SeenEvents, seenInMemory } from './seen-events.ts';
import { verifyWebhook } from './verify-webhook.ts';

export interface WebhookOptions {
  /** The token that `setWebhook` was given; several while it is changed. */
  token: string | readonly string[];
  /**
   * Deals with an event. The gateway hears that it arrived when this is done, within 10 seconds: what takes longer belongs
   * into a queue. If it throws, the gateway sends the event again.
   */
  onEvent: (event: GatewayEvent) => unknown;
  /** Which events were dealt with. Default: the last 10,000 in memory, which a restart forgets. */
  seen?: SeenEvents;
}

/** Handlers of one webhook. Each verifies the signature, and passes an event on once. */
export interface Webhook {
  /** The Fetch API: `export default { fetch: webhook.fetch }`, `Deno.serve(webhook.fetch)`, a route of Next.js. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** `app.post('/telegram', webhook.hono)` */
  readonly hono: (context: HonoContext) => Promise<Response>;
  /** `app.post('/telegram', webhook.express)`, before `express.json()`. Also for `node:http`. */
  readonly express: (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void>;
  /** `app.register(webhook.fastify, { path: '/telegram' })` */
  readonly fastify: (app: FastifyLike, options?: { path?: string }) => Promise<void>;
}

/**
 * Takes the events that the gateway posts.
 * @example const webhook = createWebhook({ token, onEvent: (event) => console.log(event.type) })
 */
export function createWebhook({ token, onEvent, seen = seenInMemory() }: WebhookOptions): Webhook {
  const tokens = [token].flat();
  if (tokens.some((one) => !one))
    throw new TypeError('`token` is empty: give the webhook a token, and the same one to `setWebhook`');
  /** Events that are dealt with now: the gateway sends one again after 10 s. */
  const underWay = new Map<string, Promise<void>>();

  const take = async (event: GatewayEvent): Promise<void> => {
    if (await seen.has(event.id)) return;
    await onEvent(event);
    await seen.add(event.id);
  };
  const takeOnce = async (event: GatewayEvent): Promise<void> => {
    const begun = underWay.get(event.id) ?? take(event).finally(() => underWay.delete(event.id));
    underWay.set(event.id, begun);
    await begun;
  };
  const answer: Answer = async (request) => {
    let event: GatewayEvent;
    try {
      event = await verifyWebhook({ ...request, tokens });
    } catch (error) {
      if (error instanceof WebhookError) return { status: error.status, text: error.message };
      throw error;
    }
    await takeOnce(event);
    return { status: 200, text: '' };
  };
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST')
      return new Response('webhooks are posted', { status: 405, headers: { allow: 'POST' } });
    const body = new Uint8Array(await request.arrayBuffer());
    const { status, text } = await answer({ body, header: (name) => request.headers.get(name) });
    return new Response(text, { status });
  };
  return {
    fetch,
    hono: ({ req }) => fetch(req.raw),
    async express(request, response, next) {
      try {
        const { status, text } = await answer({ body: await bytesOfNode(request), header: headerIn(request.headers) });
        response.statusCode = status;
        response.end(text);
      } catch (error) {
        if (!next) response.statusCode = 500;
        if (!next) response.end();
        else next(error);
      }
    },
    fastify: fastifyPlugin(answer),
  };
}
