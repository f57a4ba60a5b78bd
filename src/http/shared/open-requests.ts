import type { FastifyReply } from 'fastify';
import type { App } from './app-types.ts';
import { bareError } from './error-responses.ts';

const retryAfterSeconds = 5;
const openReplies = new WeakMap<object, Set<FastifyReply>>();

/** Remembers the requests that have no response yet, for {@link answerOpenRequests}. */
export function trackOpenRequests(app: App): void {
  const open = new Set<FastifyReply>();
  openReplies.set(app.server, open);
  app.addHook('onRequest', (_request, reply, done) => {
    open.add(reply);
    reply.raw.once('close', () => open.delete(reply));
    done();
  });
}

/** Whether a request has no response yet, or one that is still being sent. */
export const hasOpenRequests = (app: App): boolean => (openReplies.get(app.server)?.size ?? 0) > 0;

/** Answers all requests that have no response yet with 503: what they would have been answered is lost. */
export function answerOpenRequests(app: App): void {
  const { body, headers } = bareError(503, 'service is shutting down');
  for (const reply of openReplies.get(app.server) ?? []) {
    if (reply.sent || reply.raw.headersSent) continue;
    reply.hijack();
    reply.raw.writeHead(503, {
      ...headers,
      'x-request-id': reply.request.id,
      'retry-after': String(retryAfterSeconds),
      connection: 'close',
    });
    reply.raw.end(body);
  }
}
