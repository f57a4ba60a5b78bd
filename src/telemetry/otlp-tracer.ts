import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TimerHandle } from '../../actors/ports/clock.ts';
import { errorName } from './error-name.ts';
import { createExporter } from './otlp-exporter.ts';
import type { Span, SpanOptions, Tracer } from './tracer.ts';
import type { TracerOptions } from './tracer-options.ts';

const serviceName = 'telegram-session-gateway';
/** Delay of batches of ended spans; they are dropped if the collector does not accept them. */
const gatheringMs = 2_000;
const maxWaiting = 4096;
/** Limit for sending the rest at shutdown. */
const closeMs = 4_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** The position of some work in its trace. */
interface Place {
  context: Context;
  trace: { isOpen: boolean };
}

/** Traces for an OpenTelemetry collector. `OTEL_SERVICE_NAME`, `OTEL_EXPORTER_OTLP_HEADERS` and the like are read. */
export function createOtlpTracer(options: TracerOptions): Tracer {
  const { clock, sampledShare, version, instance } = options;
  const provider = new TracerProvider({
    // The environment wins over the gateway's name, and that over the package's.
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': serviceName,
          'service.version': version,
          'service.instance.id': instance,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter(options),
        scheduledDelayMillis: gatheringMs,
        maxQueueSize: maxWaiting,
      }),
    ],
  });
  const tracer = provider.getTracer(serviceName);
  const propagator = new W3CTraceContextPropagator();
  const places = new AsyncLocalStorage<Place>();

  const start = (name: string, { kind = 'internal', attributes = {} }: SpanOptions, context: Context): OtelSpan =>
    tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
  const spanAt = (span: OtelSpan, context: Context, of: Place['trace'], isFirst: boolean): Span => {
    const place = { context: trace.setSpan(context, span), trace: of };
    return {
      traceId: span.spanContext().traceId,
      headers() {
        const headers: Record<string, string> = {};
        propagator.inject(place.context, headers, defaultTextMapSetter);
        return headers;
      },
      run: (work) => places.run(place, work),
      note: (attributes) => void span.setAttributes(attributes),
      end: (error) => {
        if (isFirst) of.isOpen = false;
        if (error !== undefined) {
          span.setAttribute('error.type', errorName(error));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
  return {
    begin(name, spanOptions = {}, headers = {}) {
      const caller = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      return spanAt(start(name, spanOptions, caller), caller, { isOpen: true }, true);
    },
    within(name, spanOptions = {}) {
      const place = places.getStore();
      if (place?.trace.isOpen !== true) return undefined;
      return spanAt(start(name, spanOptions, place.context), place.context, place.trace, false);
    },
    traceId() {
      const place = places.getStore();
      return place?.trace.isOpen === true ? trace.getSpanContext(place.context)?.traceId : undefined;
    },
    async close() {
      const timer: { handle?: TimerHandle } = {};
      const late = new Promise<void>((resolve) => {
        timer.handle = clock.setTimeout(resolve, closeMs);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      if (timer.handle !== undefined) clock.clearTimeout(timer.handle);
    },
  };
}
