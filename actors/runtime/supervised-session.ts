import type { Effect, SessionState } from '../session/events.ts';
import type { SessionActor } from './session-actor.ts';
import type { TelegramChild } from './telegram-child.ts';

/** Where a session of this process is, with what exists then. */
type Phase =
  /** Its actor is resuming and takes no commands yet. */
  | { readonly kind: 'loading'; readonly actor: SessionActor }
  | { readonly kind: 'active'; readonly actor: SessionActor }
  /** Another writer appended, and the session is read again. */
  | { readonly kind: 'reloading' }
  /** It leaves this process: no read that is under way brings it back. */
  | { readonly kind: 'leaving' }
  /** Its last event, or its vault, cannot be read (FA7). It stays as it is until a start that can read it. */
  | { readonly kind: 'held' }
  /** It was deleted, and is being logged out and erased. No actor if an earlier process deleted it. */
  | { readonly kind: 'erasing'; readonly actor: SessionActor | undefined };

/** A session of this process, from its creation or restoration until it is erased. */
export class SupervisedSession {
  readonly id: string;
  phase: Phase;
  child: TelegramChild | undefined;
  /** Ends when a session that was fenced has been read again. Never rejects. See {@link readAgain}. */
  reload: Promise<void> | undefined;
  /** Ends when the session's creation is recorded, or has failed. What its connection reports waits for it. */
  creation: Promise<unknown> | undefined;
  /** The URL of the proxy that it is created with, until its creation is recorded; empty: none. */
  givenProxy: string | undefined;
  /** Effects of a restored session that wait for their turn. */
  pending: readonly Effect[] | undefined;
  #left: (() => void) | undefined;
  /** The actor that {@link end} waits for. */
  #leaving: SessionActor | undefined;

  constructor(id: string, phase: Phase) {
    this.id = id;
    this.phase = phase;
  }

  /** The recorded state; `'loading'` if the session is not active yet. */
  get state(): SessionState | 'loading' | 'held' {
    const { phase } = this;
    if (phase.kind === 'held') return 'held';
    return (phase.kind === 'active' || phase.kind === 'erasing' ? phase.actor?.state : undefined) ?? 'loading';
  }

  /** Whether it does nothing now, and takes no commands. */
  get isAway(): boolean {
    return this.phase.kind === 'reloading' || this.phase.kind === 'leaving';
  }

  /** Whether it is being read, or its `OwnerChanged` is being recorded. */
  get isBeginning(): boolean {
    return this.phase.kind === 'reloading' || this.phase.kind === 'loading';
  }

  get isReloading(): boolean {
    return this.phase.kind === 'reloading';
  }

  /** Resolves when a session that was fenced has been read again, or leaves. */
  async readAgain(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#left = resolve;
    });
    await Promise.race([this.reload, left]);
  }

  get actor(): SessionActor | undefined {
    return 'actor' in this.phase ? this.phase.actor : undefined;
  }

  /**
   * Takes no commands from here on. Resolves when no append is in flight and the connection is closed; a log-out that has no answer
   * is its next owner's.
   * @param isLost at once: another process may act for the session already
   */
  async end(isLost = false): Promise<void> {
    const actor = this.actor ?? this.#leaving;
    this.#leaving = actor;
    this.phase = { kind: 'leaving' };
    this.pending = undefined;
    this.#left?.();
    if (isLost) {
      actor?.stop();
      await Promise.all([this.child?.leave(), actor?.idle()]);
      return;
    }
    await actor?.idle();
    actor?.stop();
    await this.child?.leave();
  }
}
