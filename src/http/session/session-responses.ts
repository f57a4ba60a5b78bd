import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { sessionObject } from './session-object.ts';

/**
 * The JSON of `GET /session`, made once for each view: callers poll every few seconds, and opening sealed texts, drawing
 * the QR and encoding the picture again each time would be most of the work. A view is never changed, each event makes a
 * new one; an answer is kept as long as its view is, and no longer.
 */
export class SessionResponses {
  readonly #answers = new WeakMap<SessionView, Buffer>();
  readonly #sealer: Pick<Sealer, 'open'>;

  constructor(sealer: Pick<Sealer, 'open'>) {
    this.#sealer = sealer;
  }

  /**
   * At once where it is kept, which is nearly always.
   * @param sessionId the one that is right for the view: it is part of the answer
   */
  json(view: SessionView, sessionId: string): Buffer | Promise<Buffer> {
    return this.#answers.get(view) ?? this.#make(view, sessionId);
  }

  async #make(view: SessionView, sessionId: string): Promise<Buffer> {
    const { id, generatedId, name, username, phone, ...rest } = await sessionObject(view, this.#sealer);
    // In the order of the interface.
    const answer = Buffer.from(JSON.stringify({ id, generatedId, name, username, phone, sessionId, ...rest }));
    this.#answers.set(view, answer);
    return answer;
  }
}
