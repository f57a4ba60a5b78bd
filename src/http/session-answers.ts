import type { Sealer } from '../../actors/sealer.ts';
import type { SessionView } from '../../projections/session-view.ts';
import { type SessionObject, sessionObject } from './session-object.ts';

/** The JSON before and after the caller's `sessionId`, which is kept nowhere. */
interface Answer {
  before: string;
  after: string;
}

/**
 * The JSON of `GET /session`, made once for each view: callers poll every few seconds, and opening sealed texts and
 * drawing the QR again each time would be most of the work. A view is never changed, each event makes a new one; an
 * answer is kept as long as its view is, and no longer.
 */
export class SessionAnswers {
  #answers = new WeakMap<SessionView, Answer>();
  #sealer: Pick<Sealer, 'open'>;

  constructor(sealer: Pick<Sealer, 'open'>) {
    this.#sealer = sealer;
  }

  /** At once where it is kept, which is nearly always. */
  json(view: SessionView, sessionId: string): string | Promise<string> {
    const kept = this.#answers.get(view);
    return kept === undefined ? this.#make(view, sessionId) : join(kept, sessionId);
  }

  async #make(view: SessionView, sessionId: string): Promise<string> {
    const answer = split(await sessionObject(view, this.#sealer));
    this.#answers.set(view, answer);
    return join(answer, sessionId);
  }
}

/** The fields in the order of the interface, parted where `sessionId` goes. */
function split({ id, generatedId, name, username, phone, ...rest }: SessionObject): Answer {
  return {
    before: `${JSON.stringify({ id, generatedId, name, username, phone }).slice(0, -1)},"sessionId":`,
    after: `,${JSON.stringify(rest).slice(1)}`,
  };
}

const join = ({ before, after }: Answer, sessionId: string): string => before + JSON.stringify(sessionId) + after;
