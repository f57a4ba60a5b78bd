interface AnyPage {
  docs: readonly unknown[];
}
type EntryOf<Page extends AnyPage> = Awaited<Page['docs'][number]>;
/** Where a page begins; undefined, empty or 0 for the first one. */
export type Cursor = string | number | undefined;

/**
 * A list that comes in pages. `await` it for the first page; `for await` goes through all its entries, and asks for a page
 * when it is needed.
 */
export class Pages<Page extends AnyPage> implements PromiseLike<Page>, AsyncIterable<EntryOf<Page>> {
  readonly #load: (cursor: Cursor) => Promise<Page>;
  readonly #cursorOf: (page: Page) => Cursor;

  /** @param load undefined stands for the first page */
  constructor(load: (cursor: Cursor) => Promise<Page>, cursorOf: (page: Page) => Cursor) {
    this.#load = load;
    this.#cursorOf = cursorOf;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list is a page for those who await it
  then<Value = Page, Failure = never>(
    onPage?: ((page: Page) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#load(undefined).then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EntryOf<Page>, void, undefined> {
    for await (const { docs } of this.pages()) yield* docs as readonly EntryOf<Page>[];
  }

  /** Page by page: `for await (const { docs } of session.listChats().pages())`. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: Cursor;
    for (;;) {
      const page = await this.#load(cursor);
      yield page;
      const next = this.#cursorOf(page);
      // Empty, 0 or the same again: there are no more. A page itself may be empty.
      if (!next || next === cursor) return;
      cursor = next;
    }
  }
}
