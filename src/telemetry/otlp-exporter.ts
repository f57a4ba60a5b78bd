import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracerOptions } from './tracer-options.ts';

/** Limit that includes the package's own retries. */
const exportMs = 3_000;

/** Sends spans as OTLP JSON. An unreachable collector costs these spans and one warning. */
export function createExporter({ endpoint, log }: Pick<TracerOptions, 'endpoint' | 'log'>): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportMs });
  let isAway = false;
  const note = ({ code, error }: ExportResult): void => {
    const fails = code !== ExportResultCode.SUCCESS;
    if (fails && !isAway) log.warn({ reason: error?.message }, 'traces cannot be sent');
    if (!fails && isAway) log.info({}, 'traces can be sent again');
    isAway = fails;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
