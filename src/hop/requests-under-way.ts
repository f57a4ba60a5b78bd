import type { OwnedPart } from '../cluster/owned-part.ts';
import { partitionOf } from '../cluster/partitions.ts';

/** A request that this node answers. */
export interface RequestUnderWay {
  /** What decides who answers: the ID of a session, or another text that has a partition. */
  readonly subject: string;
  /** It has its response, or is something that has no end of its own. May be called again. */
  readonly end: () => void;
}

const nothing = (): Promise<void> => Promise.resolve();

/**
 * The requests that this node answers for what it owns. A partition is released when they have their responses, or after a
 * moment (CL4.5). Those that come later wait for the next owner.
 */
export class RequestsUnderWay implements OwnedPart {
  /** By partition. */
  readonly #counts = new Map<number, number>();
  readonly #onIdle = new Map<number, (() => void)[]>();

  begin(subject: string): RequestUnderWay {
    const partition = partitionOf(subject);
    this.#counts.set(partition, (this.#counts.get(partition) ?? 0) + 1);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#ended(partition);
    };
    return { subject, end };
  }

  finish(partition: number): Promise<void> | undefined {
    if (!this.#counts.has(partition)) return undefined;
    return new Promise((resolve) => {
      this.#onIdle.set(partition, [...(this.#onIdle.get(partition) ?? []), resolve]);
    });
  }

  readonly take = nothing;
  readonly release = nothing;

  #ended(partition: number): void {
    const left = (this.#counts.get(partition) ?? 0) - 1;
    if (left > 0) {
      this.#counts.set(partition, left);
      return;
    }
    this.#counts.delete(partition);
    const waiting = this.#onIdle.get(partition) ?? [];
    this.#onIdle.delete(partition);
    for (const resolve of waiting) resolve();
  }
}
