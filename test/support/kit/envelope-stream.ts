import type { Payload } from '../../../src/webhook/payload/payloads.ts';

/** A client of `GET /session/messages/stream`, open until it leaves or the gateway ends it. */
export class EnvelopeStream {
  readonly envelopes: Payload[] = [];
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  readonly #cut = new AbortController();
  /** Whether the stream has begun: its reader is known. */
  isOpen = false;
  #status: { status: number; body: unknown } | undefined;

  /** @param url of the service */
  constructor(url: string, headers: Record<string, string>, query: string) {
    this.ended = this.#read(`${url}/session/messages/stream?${query}`, headers).catch((error: unknown) => {
      if (!this.#cut.signal.aborted) throw error;
    });
    this.ended.catch(() => {});
  }

  /** Of a response that is no stream; undefined while it is one. */
  get refusal(): { status: number; body: unknown } | undefined {
    return this.#status;
  }

  get numbers(): [previous: number, seq: number][] {
    return this.envelopes.map(({ previous, seq }) => [previous, seq]);
  }

  async leave(): Promise<void> {
    this.#cut.abort();
    await this.ended;
  }

  async #read(url: string, headers: Record<string, string>): Promise<void> {
    const response = await fetch(url, { headers, signal: this.#cut.signal });
    if (response.status !== 200) {
      this.#status = { status: response.status, body: await response.json() };
      return;
    }
    this.isOpen = true;
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of whole(response.body)) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) this.envelopes.push(JSON.parse(data) as Payload);
      }
    }
  }
}

/** A connection that is cut ends it as well. */
async function* whole(body: Response['body']): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true };
    if (done) return;
    yield value as Uint8Array;
  }
}
