import type { LiveUpdate } from '../../telegram/port/updates.ts';
import type { LivePayload } from '../payload/live-payloads.ts';
import type { Payload } from '../payload/payloads.ts';
import { type FollowReaderDeps, liveEnvelope, type PlaceInStream, placeOfReader, readOn } from './follow-reader.ts';
import type { Reader, ReaderConnection } from './reader.ts';

/** What a slow reader misses first is what is not recorded. */
const maxMoments = 64;

/** Where the envelopes of a connected reader go. */
export interface ReaderOutlet {
  /** Whether its client has left. */
  readonly isOver: boolean;
  /** Nothing once it is over. @returns a promise if the next one has to wait: it resolves when there is room, or it is over */
  send(envelope: Payload | LivePayload): Promise<void> | undefined;
  /** `failed`: the events cannot be read now, and the client comes again. Nothing if it is over. */
  end(how: 'done' | 'failed'): void;
}

/**
 * A connection of a reader: it gets what is recorded for it from its place on, and then what it is shown of each moment. While
 * there is nothing to tell, it holds neither an event nor a promise.
 */
export class ConnectedReader implements ReaderConnection {
  readonly #deps: FollowReaderDeps;
  readonly #sessionId: string;
  #outlet: ReaderOutlet | undefined;
  #reader: Reader | undefined;
  #place: PlaceInStream | undefined;
  /** How it has ended. */
  #ended: 'done' | 'failed' | undefined;
  #isReading = false;
  /** Whether something may have been recorded for it since its last read. */
  #isRecorded = true;
  #moments: LiveUpdate[] | undefined;
  #sentUpTo = 0;

  constructor(deps: FollowReaderDeps, sessionId: string) {
    this.#deps = deps;
    this.#sessionId = sessionId;
  }

  /** To be called once, when it is known and its client can be written to. */
  begin(reader: Reader, outlet: ReaderOutlet): void {
    this.#reader = reader;
    this.#outlet = outlet;
    if (this.#ended !== undefined) outlet.end(this.#ended);
    else void this.#tell();
  }

  end(how: 'done' | 'failed' = 'done'): void {
    this.#ended = how;
    this.#outlet?.end(how);
  }

  ring(): void {
    this.#isRecorded = true;
    void this.#tell();
  }

  /** The newest are kept. */
  show(update: LiveUpdate): void {
    this.#moments = [...(this.#moments ?? []), update].slice(-maxMoments);
    void this.#tell();
  }

  /** Number of the last recorded event that was sent to it; 0 if none was. */
  get sentUpTo(): number {
    return this.#sentUpTo;
  }

  get #isOver(): boolean {
    return this.#ended !== undefined || this.#outlet?.isOver !== false;
  }

  /** All that there is for it, one after the other. */
  async #tell(): Promise<void> {
    if (this.#isReading || this.#isOver) return;
    this.#isReading = true;
    try {
      while (!this.#isOver && (this.#isRecorded || this.#moments !== undefined)) {
        if (this.#isRecorded) await this.#tellRecorded();
        else await this.#tellMoments();
      }
    } catch {
      this.#outlet?.end('failed');
    } finally {
      this.#isReading = false;
    }
  }

  async #tellRecorded(): Promise<void> {
    const reader = this.#reader as Reader;
    this.#isRecorded = false;
    this.#place ??= await placeOfReader(this.#deps, this.#sessionId, reader);
    for await (const envelope of readOn(this.#deps, this.#sessionId, reader, this.#place)) {
      if (this.#isOver) return;
      this.#sentUpTo = envelope.seq;
      await this.#outlet?.send(envelope);
      if (this.#isOver) return;
    }
    // Its session has ended.
    if (this.#deps.views.get(this.#sessionId)?.ended !== false) this.end();
  }

  async #tellMoments(): Promise<void> {
    const moments = this.#moments ?? [];
    this.#moments = undefined;
    for (const moment of moments) {
      const envelope = await liveEnvelope(this.#deps, this.#sessionId, moment);
      if (envelope === undefined || this.#isOver) return;
      await this.#outlet?.send(envelope);
    }
  }
}
