import type { FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../../telemetry/tracer.ts';
import type { App } from './app-types.ts';
import { pathOf } from './request-log.ts';

/** Polled every few seconds by machines, and of no interest. */
const untraced: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** Makes each request a trace, or a part of its caller's trace, until its response is sent. */
export function traceRequests(app: App, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (untraced.has(route)) {
      done();
      return;
    }
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'url.path': pathOf(request.url, route),
      'url.scheme': request.protocol,
      'gateway.request': request.id,
    };
    const span = tracer.begin(
      `${request.method} ${route ?? 'unknown'}`,
      { kind: 'server', attributes },
      request.headers,
    );
    spans.set(request, span);
    request.traceId = span.traceId;
    span.run(done);
  });
  // The body arrived in events of its connection, outside the request's context.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    const { statusCode } = reply;
    span?.note({
      'http.response.status_code': statusCode,
      'gateway.session': (request.view as typeof request.view | undefined)?.id,
    });
    span?.end(statusCode < 500 ? undefined : { name: request.refusal ?? String(statusCode) });
    done();
  });
}
