/** Names and numbers; nothing personal, no secret, and of URLs no more than the host. */
type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** `server`: for a caller; `client`: of somebody else. Default `internal`. */
  kind?: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
}

/** A stretch of time in a trace. */
export interface Span {
  /** What the work begins, and awaits, lies within this span. */
  run<T>(work: () => T): T;
  note(attributes: SpanAttributes): void;
  /** @param error why it failed, if it did: its name is noted, never its text. Another end changes nothing. */
  end(error?: unknown): void;
}

export interface Tracer {
  /** Begins a trace, or goes on with that of a caller who sends `traceparent` (https://www.w3.org/TR/trace-context/). */
  begin(name: string, options?: SpanOptions, headers?: Readonly<Record<string, unknown>>): Span;
  /**
   * A span within the one that is running. Undefined where there is none, and where its trace has come to its end: a
   * connection that some request has opened does not belong to that request for ever.
   */
  within(name: string, options?: SpanOptions): Span | undefined;
  /** Sends what has not been sent; a few seconds at the most. */
  close(): Promise<void>;
}

/** Does work within a span of its own, where there is a trace. */
export async function traced<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.within(name, options);
  return span === undefined ? work() : inside(span, work);
}

/** Does work within a span, and ends it. */
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
