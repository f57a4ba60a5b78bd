import { ChunkedBody, type ChunkedProgress } from './chunked-body.ts';
import { improperHttp, parseResponseHead, type ResponseHead } from './response-head.ts';

/** As much as Node's own client takes (`--max-http-header-size`). */
const mostHeadBytes = 16 * 1024;
/** What of a body is read, so that its connection can be used again; it says nothing to us. */
const mostBodyBytes = 64 * 1024;
const headEnd = '\r\n\r\n';
const nothing = Buffer.alloc(0);
const switchingProtocols = 101;

/**
 * The answers of a connection, whatever pieces they come in. One counts when its head has come; then only its end is
 * looked for.
 */
export class ResponseReader {
  #head: ResponseHead | undefined;
  /** Of a head that has not come in full. */
  #begun: Buffer | undefined;
  #chunks: ChunkedBody | undefined;
  #bodyBytes = 0;
  #progress: ChunkedProgress = 'more';
  #hasBegun = false;
  /** One head is mostly like the one before. */
  #lastHead: { text: string; head: ResponseHead } | undefined;

  /** What comes from here on is another answer. */
  begin(): void {
    this.#head = undefined;
    this.#begun = undefined;
    this.#chunks = undefined;
    this.#bodyBytes = 0;
    this.#progress = 'more';
    this.#hasBegun = false;
  }

  /** Something of it has come. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get head(): ResponseHead | undefined {
    return this.#head;
  }

  /** After its `end`, what comes next on the connection is another answer; `broken`, nothing that could be told is. */
  get progress(): ChunkedProgress {
    return this.#progress;
  }

  /** @throws {OutboundError} its head is not HTTP. */
  read(bytes: Buffer): void {
    this.#hasBegun = true;
    const rest = this.#head === undefined ? this.#readHead(bytes) : bytes;
    if (this.#head !== undefined && this.#progress === 'more') this.#progress = this.#readBody(rest, this.#head);
  }

  /** @returns what comes after it */
  #readHead(bytes: Buffer): Buffer {
    let rest = this.#begun === undefined ? bytes : Buffer.concat([this.#begun, bytes]);
    this.#begun = undefined;
    while (this.#head === undefined && rest.length > 0) {
      const end = rest.indexOf(headEnd, 0, 'latin1');
      if (end > mostHeadBytes || (end === -1 && rest.length > mostHeadBytes)) throw improperHttp();
      if (end === -1) {
        this.#begun = rest;
        break;
      }
      const head = this.#parse(rest.toString('latin1', 0, end));
      const { status } = head.answer;
      if (status === switchingProtocols) throw improperHttp();
      // Those below only say that the answer is to come.
      if (status >= 200) this.#head = head;
      rest = end + headEnd.length === rest.length ? nothing : rest.subarray(end + headEnd.length);
    }
    return rest;
  }

  #parse(text: string): ResponseHead {
    if (this.#lastHead?.text !== text) this.#lastHead = { text, head: parseResponseHead(text) };
    return this.#lastHead.head;
  }

  #readBody(bytes: Buffer, { body, restMs }: ResponseHead): ChunkedProgress {
    this.#bodyBytes += bytes.length;
    if (restMs === 0 || body === 'unending' || this.#bodyBytes > mostBodyBytes) return 'broken';
    if (body === 'chunked') {
      this.#chunks ??= new ChunkedBody();
      return this.#chunks.read(bytes);
    }
    if (this.#bodyBytes > body) return 'broken';
    return this.#bodyBytes === body ? 'end' : 'more';
  }
}
