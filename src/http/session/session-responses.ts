import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import { withOwnMemory } from '../../memory/own-memory.ts';
import { jsonText } from '../shared/json-text.ts';
import { sessionObject } from './session-object.ts';

/**
 * The JSON of `GET /session`, built once for each view: callers poll every few seconds, and opening sealed texts,
 * drawing the QR code and encoding the picture each time would be most of the work. A view never changes, each event
 * makes a new one; a response lives as long as its view.
 */
export class SessionResponses {
  readonly #responses = new WeakMap<SessionView, Buffer>();
  /** Of callers whose key stands for the secret. */
  readonly #withoutSecret = new WeakMap<SessionView, Buffer>();
  readonly #sealer: Pick<Sealer, 'open'>;
  readonly #views: Pick<SessionViews, 'picture'>;

  constructor({ sealer, views }: { sealer: Pick<Sealer, 'open'>; views: Pick<SessionViews, 'picture'> }) {
    this.#sealer = sealer;
    this.#views = views;
  }

  /**
   * Synchronous if it is cached, which is nearly always.
   * @param sessionId the correct one for the view, or empty: it is part of the response
   */
  json(view: SessionView, sessionId: string): Buffer | Promise<Buffer> {
    return this.#of(sessionId).get(view) ?? this.#make(view, sessionId);
  }

  async #make(view: SessionView, sessionId: string): Promise<Buffer> {
    const shown = { view, picture: this.#views.picture(view.id) };
    const { id, generatedId, name, username, phone, ...rest } = await sessionObject(shown, this.#sealer);
    // In the order of the interface.
    const json = jsonText({ id, generatedId, name, username, phone, sessionId, ...rest });
    const response = withOwnMemory(Buffer.from(json));
    this.#of(sessionId).set(view, response);
    return response;
  }

  #of(sessionId: string): WeakMap<SessionView, Buffer> {
    return sessionId === '' ? this.#withoutSecret : this.#responses;
  }
}
