import type { App, AppDeps } from '../shared/app-types.ts';

/** `GET /metrics` for Prometheus, with `METRICS_TOKEN` or a key of the scope `metrics`. */
export function metricsRoutes(app: App, { readMetrics }: Pick<AppDeps, 'readMetrics'>): void {
  app.get('/metrics', { config: { scope: 'metrics' } }, async (_request, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8');
    return readMetrics();
  });
}
