import type { Outbound } from '../outbound/outbound.ts';
import { inside, type Tracer } from './tracer.ts';

/**
 * Adds requests to callers' servers to traces: a download inside its send, a delivery as a trace of its own, which its
 * receiver can continue.
 */
export function traceOutbound(outbound: Outbound, tracer: Tracer): Outbound {
  return {
    close: () => outbound.close(),
    connect: (host, port, options) => outbound.connect(host, port, options),
    download(url, target, options) {
      const span = tracer.within('download', about('GET', url));
      const work = () => outbound.download(url, target, options);
      return span === undefined ? work() : inside(span, work);
    },
    post(url, options) {
      const delivery = about('POST', url, {
        // Only webhooks of sessions have a slot.
        'gateway.session': options.of ? options.sessionId : undefined,
        'gateway.event': options.headers['webhook-id'],
      });
      const span = tracer.within('deliver', delivery) ?? tracer.begin('deliver', delivery);
      return inside(span, async () => {
        const answer = await outbound.post(url, { ...options, headers: { ...options.headers, ...span.headers() } });
        span.note({ 'http.response.status_code': answer.status });
        return answer;
      });
    },
  };
}

const about = (method: string, url: string, more: Readonly<Record<string, string | undefined>> = {}) =>
  ({
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': URL.canParse(url) ? new URL(url).hostname : undefined,
      ...more,
    },
  }) as const;
