import type { AuditEntry } from '../../../src/audit/audit-entry-schema.ts';

/** A client as a browser's `EventSource` is one: remembers the last event it has seen whole. */
export class StreamClient {
  readonly seen: AuditEntry[] = [];
  #lastId: string | undefined;
  readonly #headers: Record<string, string>;
  #text = '';

  constructor(headers: Record<string, string>) {
    this.#headers = headers;
  }

  /** Reads until `isEnough`, and cuts the connection; or until the service ends it. @param url of the service */
  async read(url: string, isEnough: () => boolean, path = '/session/stream'): Promise<void> {
    const cut = new AbortController();
    const response = await fetch(url + path, {
      headers: { ...this.#headers, ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }) },
      signal: cut.signal,
    });
    if (response.headers.get('content-type') !== 'text/event-stream; charset=utf-8') throw new Error('no stream');
    this.#text = '';
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      this.#take(decoder.decode(value as Uint8Array, { stream: true }));
      if (!isEnough()) continue;
      cut.abort();
      await reader?.cancel().catch(() => undefined);
      return;
    }
  }

  /** What arrived in the last connection, comments included. */
  get text(): string {
    return this.#text;
  }

  #take(text: string): void {
    const before = this.#text.split('\n\n').length;
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    for (const block of blocks.slice(before - 1, -1)) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line]));
      const data = fields.get('data');
      if (data === undefined) continue;
      this.#lastId = fields.get('id')?.slice('id: '.length);
      this.seen.push(JSON.parse(data.slice('data: '.length)) as AuditEntry);
    }
  }
}
