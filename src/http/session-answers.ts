import { LRUCache } from 'lru-cache';
import type { Sealer } from '../../actors/sealer.ts';
import type { SessionView } from '../../projections/session-view.ts';
import { type SessionObject, sessionObject } from './session-object.ts';

/** Answers kept at a time: mostly photo and QR, some 10 KB each. */
const maxBytes = 64 * 1024 * 1024;

interface Answer {
  revision: number;
  /** The JSON before and after the caller's `sessionId`, which is kept nowhere. */
  before: string;
  after: string;
}

/**
 * The JSON of `GET /session`, made once for each revision of a view: callers poll every few seconds, and opening
 * sealed texts and drawing the QR again each time would be most of the work.
 */
export class SessionAnswers {
  #answers = new LRUCache<string, Answer>({
    maxSize: maxBytes,
    sizeCalculation: ({ before, after }) => before.length + after.length,
  });
  #sealer: Pick<Sealer, 'open'>;

  constructor(sealer: Pick<Sealer, 'open'>) {
    this.#sealer = sealer;
  }

  /** At once where it is kept, which is nearly always. */
  json(view: SessionView, sessionId: string): string | Promise<string> {
    const kept = this.#answers.get(view.id);
    return kept?.revision === view.revision ? join(kept, sessionId) : this.#make(view, sessionId);
  }

  /** Personal texts of a deleted session are kept no longer. */
  forget(id: string): void {
    this.#answers.delete(id);
  }

  async #make(view: SessionView, sessionId: string): Promise<string> {
    const answer = { revision: view.revision, ...split(await sessionObject(view, this.#sealer)) };
    const kept = this.#answers.get(view.id);
    if (kept === undefined || kept.revision < answer.revision) this.#answers.set(view.id, answer);
    return join(answer, sessionId);
  }
}

/** The fields in the order of the interface, parted where `sessionId` goes. */
function split({ id, generatedId, name, username, phone, ...rest }: SessionObject): Omit<Answer, 'revision'> {
  return {
    before: `${JSON.stringify({ id, generatedId, name, username, phone }).slice(0, -1)},"sessionId":`,
    after: `,${JSON.stringify(rest).slice(1)}`,
  };
}

const join = ({ before, after }: Answer, sessionId: string): string => before + JSON.stringify(sessionId) + after;
