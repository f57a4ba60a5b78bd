import type { App } from '../app-types.ts';

/** Origins of pages as browsers send them, or `*` for all. */
export type CorsOrigins = readonly string[] | '*';

/** What pages may send: the gateway's own headers, and those of `fetch` that need permission. */
const requestHeaders =
  'id, session-id, x-api-key, authorization, content-type, idempotency-key, range, if-none-match, if-range, ' +
  'last-event-id, traceparent, tracestate';
/** What the scripts of pages may read, beside the headers that `fetch` always shows. */
const exposedHeaders =
  'retry-after, ratelimit, ratelimit-policy, x-request-id, x-error-code, etag, content-range, accept-ranges, content-disposition, allow';
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The longest that Chromium remembers the response to a preflight. */
const maxAgeSeconds = 7_200;

/**
 * Lets pages of these origins read responses, errors included (CR1). No credentials that a browser adds by itself count
 * here, so `access-control-allow-credentials` is never needed. Call it before other hooks refuse requests.
 */
export function exposeResponses(app: App, origins: CorsOrigins): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    // A cache must not give one origin the response to another.
    if (origins !== '*') reply.header('vary', 'origin');
    if (isAllowed(origins, origin)) {
      reply.header('access-control-allow-origin', origins === '*' ? '*' : origin);
      reply.header('access-control-expose-headers', exposedHeaders);
    }
    done();
  });
}

/** Answers the preflights of these origins: a browser asks before it sends what a form could not. */
export function answerPreflights(app: App, origins: CorsOrigins): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    if (request.method !== 'OPTIONS' || wanted === undefined || !isAllowed(origins, origin)) {
      done();
      return;
    }
    void reply.code(204).headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(maxAgeSeconds),
    });
    void reply.send();
  });
}

const isAllowed = (origins: CorsOrigins, origin: string | undefined): boolean =>
  origin !== undefined && (origins === '*' || origins.includes(origin));
