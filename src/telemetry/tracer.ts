/** Names and numbers; nothing personal, no secret, and only the host of other servers' URLs. */
type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** `server`: for a caller; `client`: to another server; `consumer`: of what Telegram sends. Default `internal`. */
  kind?: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: SpanAttributes;
}

/** A span of a trace. */
export interface Span {
  readonly traceId: string;
  /** `traceparent`, with which another server continues the trace. */
  headers(): Record<string, string>;
  /** Spans that the work begins are children of this one. */
  run<T>(work: () => T): T;
  note(attributes: SpanAttributes): void;
  /** @param error why it failed, if it did: its name is recorded, never its text. A second end changes nothing. */
  end(error?: unknown): void;
}

export interface Tracer {
  /** Begins a trace, or continues that of a caller who sends `traceparent` (https://www.w3.org/TR/trace-context/). */
  begin(name: string, options?: SpanOptions, headers?: Readonly<Record<string, unknown>>): Span;
  /**
   * A child of the running span. Undefined if there is none, or if its trace has ended: a connection that one request
   * opened does not belong to that request without end.
   */
  within(name: string, options?: SpanOptions): Span | undefined;
  /** Of the running trace; undefined if there is none, or if it has ended. */
  traceId(): string | undefined;
  /** Sends the remaining spans, within a few seconds. */
  close(): Promise<void>;
}

/** Runs work in a span of its own, if there is a trace. */
export async function traced<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.within(name, options);
  return span === undefined ? work() : inside(span, work);
}

/** Runs work in a span, and ends it. */
export async function inside<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
