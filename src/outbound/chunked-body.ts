/** A size with its extensions, or a trailer. */
const mostLineBytes = 4096;

/** How far something is: it goes on, it has ended with the last byte that came, or it is not in its form. */
export type ChunkedProgress = 'more' | 'end' | 'broken';

/** Finds the end of a body in chunks (RFC 9112, section 7.1), whatever pieces it comes in. */
export class ChunkedBody {
  /** Of a chunk's content. */
  #left = 0;
  #awaits: 'size' | 'line end' | 'trailer' = 'size';
  /** As much of it as has come. */
  #line = '';

  read(bytes: Buffer): ChunkedProgress {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, bytes.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      const feed = bytes.indexOf(0x0a, at);
      const end = feed === -1 ? bytes.length : feed + 1;
      this.#line += bytes.toString('latin1', at, end);
      at = end;
      if (this.#line.length > mostLineBytes) return 'broken';
      if (feed === -1) return 'more';
      const line = this.#line;
      this.#line = '';
      if (this.#awaits === 'trailer' && line === '\r\n') return at === bytes.length ? 'end' : 'broken';
      if (!this.#take(line)) return 'broken';
    }
    return 'more';
  }

  /** False where that is none which may be here. */
  #take(line: string): boolean {
    if (!line.endsWith('\r\n')) return false;
    if (this.#awaits === 'trailer') return true;
    if (this.#awaits === 'line end') {
      this.#awaits = 'size';
      return line === '\r\n';
    }
    const digits = /^([\da-f]{1,8})[\t ]*(?:;.*)?\r\n$/i.exec(line)?.[1];
    if (digits === undefined) return false;
    this.#left = Number.parseInt(digits, 16);
    this.#awaits = this.#left === 0 ? 'trailer' : 'line end';
    return true;
  }
}
