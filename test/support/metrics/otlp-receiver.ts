import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** Digits, as many in each. */
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: Record<string, unknown>;
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpBody {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: OtlpAttribute[] })[] }[];
  }[];
}

const plain = (attributes: readonly OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector: takes OTLP's JSON over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** As they came. */
  readonly bodies: string[] = [];
  readonly services = new Set<unknown>();
  readonly versions = new Set<unknown>();
  readonly instances = new Set<unknown>();
  readonly paths = new Set<string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.paths.add(`${request.method} ${request.url}`);
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.#take(Buffer.concat(parts).toString());
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The path from the span to the beginning of its trace, by name. */
  lineOf(span: ReceivedSpan): string[] {
    const parent = this.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return [span.name, ...(parent === undefined ? [] : this.lineOf(parent))];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpBody).resourceSpans) {
      const about = plain(resource.attributes);
      this.services.add(about['service.name']);
      this.versions.add(about['service.version']);
      this.instances.add(about['service.instance.id']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, attributes: plain(span.attributes) });
      }
    }
  }
}
