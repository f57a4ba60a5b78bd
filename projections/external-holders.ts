import { externalKeyOf, type SessionView } from './session-view.ts';

/**
 * A view whose external ID no other live session has (OS1.2): the log decides, and in it the session that was given the ID first.
 * Another one keeps the names that it had. Two processes may have given the ID without knowing of each other, but every
 * reader of the log has the events in the same order.
 * @param view after an event; `before` it
 * @param holderOf the live session with an external ID, before the event
 */
export function withOwnNames(
  before: SessionView | undefined,
  view: SessionView,
  holderOf: (key: string) => Pick<SessionView, 'id'> | undefined,
): SessionView {
  if (view.externalId === before?.externalId) return view;
  const key = externalKeyOf(view);
  const holder = key === undefined ? undefined : holderOf(key);
  if (holder === undefined || holder.id === view.id) return view;
  const { externalId: _, label: _label, ...others } = view;
  const { externalId, label } = before ?? {};
  const own = { ...(externalId !== undefined && { externalId }), ...(label !== undefined && { label }) };
  return { ...others, ...own, hasForeignNames: true };
}

/** Views that have an external ID, by `externalKey`. */
export class ExternalHolders {
  readonly #views = new Map<string, SessionView>();

  get(key: string): SessionView | undefined {
    return this.#views.get(key);
  }

  /** @param view of now, and the one before it */
  note(before: SessionView | undefined, view: SessionView): void {
    const [old, key] = [before && externalKeyOf(before), externalKeyOf(view)];
    if (old !== undefined && old !== key) this.#views.delete(old);
    if (key !== undefined) this.#views.set(key, view);
  }

  clear(): void {
    this.#views.clear();
  }
}
