import type { Clock, TimerHandle } from '../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent, Subscription } from '../actors/ports/event-store.ts';
import type { Sealed } from '../actors/ports/sealer.ts';
import { sessionIdOf, sessionPrefix } from '../actors/session/events.ts';
import { restore, type SessionEnd } from '../actors/session/restore.ts';
import { type RecordedSessionEvent, sessionCodec } from '../actors/session/session-codec.ts';
import { evolveSessionView, pictureChange } from './evolve-session-view.ts';
import { ExternalHolders, withOwnNames } from './external-holders.ts';
import { isOfStore } from './is-of-store.ts';
import { PositionWaiters } from './position-waiters.ts';
import type { ProjectionOptions } from './projection-options.ts';
import type { ListOptions, SessionView, SessionViews } from './session-view.ts';
import type { SideView } from './side-view.ts';
import type { ViewDatabase, ViewProgress } from './view-database.ts';
import { ViewListeners } from './view-listeners.ts';

export interface ProjectionRunner extends SessionViews {
  /**
   * Follows the store from the position of the stored views. Resolves when the views show every event recorded at the call.
   * Can be started again after a failure.
   * @throws the error that ended it before that
   */
  start(): Promise<void>;
  /** Saves the views and ends the subscription. The database stays open. */
  stop(): Promise<void>;
  /** Removes sessions whose events are erased. Views that are rebuilt from the events do not have them either. */
  remove(ids: readonly string[]): void;
  /** How the streams of the sessions that are not deleted end. Undefined unless the option {@link ProjectionOptions.keepsEnds} is set. */
  ends(): Iterable<SessionEnd> | undefined;
  /** Calls the listener for each event of a session, in order, when the views show it. @returns a function that removes it */
  onShown(listener: ShownListener): () => void;
  /** Whether the views show every event recorded at the start, and the projection runs. */
  readonly caughtUp: boolean;
}

/** @param event undefined if it cannot be read */
type ShownListener = (recorded: RecordedEvent, event: RecordedSessionEvent | undefined) => void;

/**
 * Views are read from memory and saved with this delay, so that one row holds all changes of a session meanwhile. What
 * a crash loses is folded again from the events.
 */
const saveDelayMs = 100;
/** While the database cannot be written, each wait doubles up to this limit. */
const maxSaveDelayMs = 30_000;
/**
 * Views are saved at once when this many have changed, or when their pictures have this many characters: one save is
 * one turn of the event loop.
 */
const maxUnsaved = { views: 250, characters: 512 * 1024 } as const;

/** Rows of ends that are read at once. */
const endsPage = 250;

export function createProjectionRunner(options: ProjectionOptions): ProjectionRunner {
  return new SessionProjection(options);
}

class SessionProjection implements ProjectionRunner {
  #store: EventStore;
  #database: ViewDatabase;
  #clock: Clock;
  #onError: ProjectionOptions['onError'];
  #reportUnreadable: ReportUnreadable;
  #waiters = new PositionWaiters();
  #listeners = new ViewListeners();
  /** Views that are newer than their rows. */
  #unsaved = new Map<string, SessionView>();
  #holders = new ExternalHolders();
  #unsavedPictures = new Map<string, Sealed | undefined>();
  #unsavedCharacters = 0;
  #unsavedEnds = new Map<string, SessionEnd | undefined>();
  #keepsEnds: boolean;
  readonly #sides: readonly SideView[];
  #progress: ViewProgress | undefined;
  #saving: TimerHandle | undefined;
  /** Failed saves in a row. */
  #failedSaves = 0;
  #subscription: Subscription | undefined;
  #caughtUp = false;
  readonly #shownListeners = new Set<ShownListener>();

  constructor({ store, database, clock, onError, reportUnreadable, keepsEnds = false, sides = [] }: ProjectionOptions) {
    this.#store = store;
    this.#database = database;
    this.#clock = clock;
    this.#onError = onError;
    this.#reportUnreadable = reportUnreadable;
    this.#keepsEnds = keepsEnds;
    this.#sides = sides;
    this.#progress = database.progress;
    this.#waiters.position = database.progress?.upTo ?? 0n;
    for (const side of sides) side.load(database.side(side.name));
  }

  get position(): bigint {
    return this.#waiters.position;
  }

  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  async start(): Promise<void> {
    if (this.#subscription !== undefined) throw new Error('the projection runs already');
    if (this.#progress !== undefined && !(await isOfStore(this.#progress, this.#store))) this.#forget();
    await new Promise<void>((resolve, reject) => {
      this.#subscription = this.#store.subscribeAll({
        after: this.#progress?.upTo,
        prefixes: [sessionPrefix, ...new Set(this.#sides.flatMap(({ prefixes }) => prefixes))],
        onEvent: (event) => this.#see(event),
        onCaughtUp: () => {
          this.#caughtUp = true;
          resolve();
        },
        onError: (error) => {
          this.#caughtUp = false;
          this.#subscription = undefined;
          this.#onError(error, 'following');
          reject(error);
        },
      });
    });
  }

  async stop(): Promise<void> {
    await this.#subscription?.stop();
    this.#subscription = undefined;
    this.#caughtUp = false;
    this.#save();
    this.#cancelSaving();
  }

  get(id: string): SessionView | undefined {
    return this.#unsaved.get(id) ?? this.#database.get(id);
  }

  picture(id: string): Sealed | undefined {
    return this.#unsavedPictures.has(id) ? this.#unsavedPictures.get(id) : this.#database.picture(id);
  }

  list(options: ListOptions): SessionView[] {
    this.#save();
    return this.#database.list(options);
  }

  liveIds(after: string, limit: number): string[] {
    this.#save();
    return this.#database.liveIds(after, limit);
  }

  byExternalKey(key: string): SessionView | undefined {
    const saved = this.#database.byExternalKey(key);
    // One that has changed since then has it no more.
    return this.#holders.get(key) ?? (saved !== undefined && this.#unsaved.has(saved.id) ? undefined : saved);
  }

  countByState(tenant?: string): ReturnType<SessionViews['countByState']> {
    this.#save();
    return this.#database.countByState(tenant);
  }

  countOfKeys(ids: readonly string[]): number {
    this.#save();
    return this.#database.countOfKeys(ids);
  }

  ends(): Iterable<SessionEnd> | undefined {
    return this.#keepsEnds ? this.#readEnds() : undefined;
  }

  /** In pages: between two of them more may be recorded. */
  *#readEnds(): Generator<SessionEnd> {
    this.#save();
    // If they could not be saved, those in memory count.
    const unsaved = new Map(this.#unsavedEnds);
    for (let after = ''; ; ) {
      const page = this.#database.ends(after, endsPage);
      for (const end of page) if (!unsaved.has(end.id)) yield end;
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    for (const end of unsaved.values()) if (end !== undefined) yield end;
  }

  async waitFor(position: bigint, signal?: AbortSignal): Promise<void> {
    if (position > this.position) await this.#waiters.wait(position, signal);
  }

  onChange(id: string, listener: () => void): () => void {
    return this.#listeners.listen(id, listener);
  }

  onShown(listener: ShownListener): () => void {
    this.#shownListeners.add(listener);
    return () => void this.#shownListeners.delete(listener);
  }

  remove(ids: readonly string[]): void {
    this.#database.remove(ids);
    for (const id of ids) {
      this.#unsaved.delete(id);
      this.#unsavedPictures.delete(id);
      this.#unsavedEnds.delete(id);
    }
  }

  #forget(): void {
    this.#forgetUnsaved();
    this.#progress = undefined;
    this.#waiters.position = 0n;
    this.#database.clear();
    for (const side of this.#sides) side.load(this.#database.side(side.name));
  }

  #see(recorded: RecordedEvent): void {
    if (recorded.stream.startsWith(sessionPrefix)) this.#seeSession(recorded);
    else this.#seeOther(recorded);
    if (this.#hasMuchUnsaved() && this.#failedSaves === 0) this.#save();
    else this.#saving ??= this.#clock.setTimeout(() => this.#save(), saveDelayMs);
  }

  #seeOther(recorded: RecordedEvent): void {
    for (const side of this.#sides) {
      if (side.prefixes.some((prefix) => recorded.stream.startsWith(prefix))) side.see(recorded);
    }
    const { position } = recorded;
    // Before the first session there is nothing to save.
    if (this.#progress !== undefined) this.#progress = { ...this.#progress, upTo: position };
    this.#waiters.reached(position);
  }

  #seeSession(recorded: RecordedEvent): void {
    const { stream, revision, position, id: eventId } = recorded;
    const id = sessionIdOf(stream);
    const decoded = sessionCodec.decode(recorded);
    const event = isUnreadable(decoded) ? undefined : decoded;
    if (isUnreadable(decoded)) {
      this.#reportUnreadable(decoded);
      if (this.#keepsEnds) this.#unsavedEnds.set(id, { id, committed: undefined });
    } else {
      this.#apply(id, decoded);
    }
    this.#progress = { upTo: position, position, stream, revision, eventId };
    this.#waiters.reached(position);
    this.#listeners.changed(id);
    for (const listener of this.#shownListeners) listener(recorded, event);
  }

  #apply(id: string, event: RecordedSessionEvent): void {
    const before = this.get(id);
    const view = withOwnNames(before, evolveSessionView(before, event), (key) => this.byExternalKey(key));
    this.#unsaved.set(id, view);
    this.#holders.note(before, view);
    for (const side of this.#sides) side.seeSession(event, view);
    if (this.#keepsEnds) this.#unsavedEnds.set(id, view.ended ? undefined : { id, committed: restore(event) });
    const change = pictureChange(event);
    if (change === undefined) return;
    this.#unsavedPictures.set(id, change.picture);
    this.#unsavedCharacters += change.picture?.length ?? 0;
  }

  #hasMuchUnsaved(): boolean {
    return this.#unsaved.size >= maxUnsaved.views || this.#unsavedCharacters >= maxUnsaved.characters;
  }

  #forgetUnsaved(): void {
    this.#unsaved.clear();
    this.#holders.clear();
    this.#unsavedPictures.clear();
    this.#unsavedEnds.clear();
    this.#unsavedCharacters = 0;
  }

  /** If it fails, the views in memory stay correct; it is tried again later. */
  #save(): void {
    this.#cancelSaving();
    if (this.#progress === undefined || this.#progress === this.#database.progress) return;
    try {
      const [views, pictures, ends] = [this.#unsaved.values(), this.#unsavedPictures, this.#unsavedEnds];
      const sides = this.#sides.map((side) => [side.name, side.changes()] as const);
      this.#database.save({ views, pictures, ends, sides }, this.#progress);
      this.#forgetUnsaved();
      for (const side of this.#sides) side.saved();
      this.#failedSaves = 0;
    } catch (error) {
      this.#failedSaves += 1;
      const delayMs = Math.min(saveDelayMs * 2 ** this.#failedSaves, maxSaveDelayMs);
      this.#saving = this.#clock.setTimeout(() => this.#save(), delayMs);
      this.#onError(error, 'saving');
    }
  }

  #cancelSaving(): void {
    if (this.#saving !== undefined) this.#clock.clearTimeout(this.#saving);
    this.#saving = undefined;
  }
}
