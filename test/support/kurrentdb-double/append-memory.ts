import type { LoggedEvent } from './event-log.ts';

/**
 * The writes that a node remembers. An append that expects `any` is recognised by them alone: a node that has started
 * again, or that has become the leader, records it a second time.
 */
export class AppendMemory {
  #byId = new Map<string, LoggedEvent>();

  find(id: string): LoggedEvent | undefined {
    return this.#byId.get(id);
  }

  add(event: LoggedEvent): void {
    this.#byId.set(event.id, event);
  }

  forget(): void {
    this.#byId.clear();
  }
}

/** Remembers nothing. */
export const noMemory: Pick<AppendMemory, 'find' | 'add'> = { find: () => undefined, add: () => {} };
