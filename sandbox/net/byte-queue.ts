/** A queue of bytes: chunks of any size go in, pieces of an exact size come out. */
export class ByteQueue {
  private chunks: Buffer[] = [];
  private total = 0;

  get length(): number {
    return this.total;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.chunks.push(chunk);
    this.total += chunk.length;
  }

  /** The first `count` bytes, which stay in the queue; undefined while there are fewer. */
  peek(count: number): Buffer | undefined {
    if (this.total < count) return undefined;
    const [first] = this.chunks;
    if (first && first.length >= count) return first.subarray(0, count);
    // Joins only the chunks that hold these bytes: a large packet in a thousand chunks is joined once.
    let joined = 0;
    let length = 0;
    while (length < count) length += this.chunks[joined++]?.length ?? 0;
    const head = Buffer.concat(this.chunks.splice(0, joined), length);
    this.chunks.unshift(head);
    return head.subarray(0, count);
  }

  /** As `peek`, and removes the bytes from the queue. */
  take(count: number): Buffer | undefined {
    const bytes = this.peek(count);
    const [first] = this.chunks;
    if (!bytes || !first) return bytes;
    this.total -= count;
    if (first.length === count) this.chunks.shift();
    else this.chunks[0] = first.subarray(count);
    return bytes;
  }
}
