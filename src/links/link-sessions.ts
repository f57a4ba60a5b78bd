import { LightAbort } from '../../actors/kit/light-abort.ts';
import { type RetryDeps, retry } from '../../actors/kit/retry.ts';
import { storeAway } from '../../actors/kit/retry-policy.ts';
import type { MasterSealer } from '../../actors/ports/sealer.ts';
import type { Sessions } from '../../actors/runtime/sessions.ts';
import { externalKey } from '../../actors/session/external-key.ts';
import type { CreationSettings } from '../../actors/session/session-settings.ts';
import type { SessionView, SessionViews } from '../../projections/session-view.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { KeySessionLimits } from '../keys/limits/session-limits.ts';
import { type CustomerLink, maxSessionsOfLink, stateOfLink } from './customer-link.ts';
import type { LinkBook } from './link-book.ts';

/** What the settings of a link are sealed as. */
const settingsContext = 'settings';
/** The author of what a customer does through a link (KY4). */
const author = 'link';

export interface LinkSessionsDeps extends RetryDeps {
  book: LinkBook;
  sessions: Pick<Sessions, 'create' | 'isDeleted'>;
  views: Pick<SessionViews, 'get' | 'byExternalKey' | 'waitFor' | 'onChange'>;
  sealer: MasterSealer;
  limits: Pick<KeySessionLimits, 'during'>;
}

/** The proxy is tried when a session is created (LG3.3). */
type SealedSettings = CreationSettings & { proxy?: string | undefined };

/** What a new link is to be. */
export interface LinkWish {
  settings: CreationSettings;
  /** URL of the proxy that its sessions go through. */
  proxy?: string | undefined;
  /** Milliseconds since 1970. */
  expires: number;
  tenant?: string;
  /** ID of the key that makes it. */
  key?: string;
}

/** The sessions of customers' links (OS5). */
export class LinkSessions {
  readonly #deps: LinkSessionsDeps;
  /** By link: stops watching for its session to be connected. */
  readonly #watched = new Map<string, () => void>();
  readonly #stop = new LightAbort();

  constructor(deps: LinkSessionsDeps) {
    this.#deps = deps;
  }

  /** Watches the sessions of the open links, once links and views are known. */
  start(): void {
    for (const link of this.#deps.book.list()) this.#watch(link);
  }

  stop(): void {
    this.#stop.abort(new Error('the gateway ends'));
    for (const unwatch of this.#watched.values()) unwatch();
    this.#watched.clear();
  }

  /** @throws {StoreUnavailableError} */
  issue(
    { settings, proxy, expires, tenant, key }: LinkWish,
    by: string,
  ): Promise<{ link: CustomerLink; token: string }> {
    const { externalId, label, ...rest } = settings;
    const make: Parameters<LinkBook['issue']>[0] = (id) => ({
      expires,
      settings: this.#deps.sealer.seal(
        id,
        settingsContext,
        JSON.stringify({ ...rest, proxy } satisfies SealedSettings),
      ),
      ...(tenant !== undefined && { tenant }),
      ...(key !== undefined && { key }),
      ...(externalId && { externalId }),
      ...(label && { label }),
    });
    return this.#deps.book.issue(make, by);
  }

  /** @returns false if the link has ended already. @throws {StoreUnavailableError} */
  async withdraw(id: string, by: string): Promise<boolean> {
    const { book, clock } = this.#deps;
    let isOpen = false;
    await book.record(id, by, (link) => {
      isOpen = stateOfLink(link, clock.now()) === 'open';
      return isOpen ? { type: 'LinkWithdrawn', data: {} } : undefined;
    });
    this.#watched.get(id)?.();
    return isOpen;
  }

  /** The session that a link shows; undefined if there is none, or it is deleted. */
  sessionOf({ sessionId = '' }: CustomerLink): SessionView | undefined {
    const view = this.#deps.views.get(sessionId);
    return view === undefined || view.ended || this.#deps.sessions.isDeleted(sessionId) ? undefined : view;
  }

  /**
   * The customer pressed the button: there is a session then, the one that lives or a new one.
   * @throws {GatewayError} 404: the link has ended; 400: it has made all its sessions
   * @throws {ProxyUnusableError} its proxy cannot be used
   * @throws {StoreUnavailableError}
   */
  async open(id: string, reqId: string): Promise<CustomerLink> {
    const { book, views, clock } = this.#deps;
    const link = await book.record(id, author, async (now) => {
      if (stateOfLink(now, clock.now()) !== 'open') throw linkNotFound();
      if (this.sessionOf(now) !== undefined) return undefined;
      const found =
        now.externalId === undefined ? undefined : views.byExternalKey(externalKey(now.externalId, now.tenant));
      if (found !== undefined) return { type: 'LinkOpened', data: { sessionId: found.id, isNew: false } };
      if (now.sessionsMade >= maxSessionsOfLink) throw new GatewayError(400, 'link has no more sessions');
      const sessionId = await this.#create(now, reqId);
      return { type: 'LinkOpened', data: { sessionId, isNew: true } };
    });
    if (link === undefined) throw linkNotFound();
    this.#watch(link);
    return link;
  }

  async #create(link: CustomerLink, reqId: string): Promise<string> {
    const { sessions, sealer, views, limits } = this.#deps;
    const { id, tenant, key, externalId, label, settings } = link;
    const { proxy, ...opened } = JSON.parse(sealer.open(id, settings)) as SealedSettings;
    const names = { ...(externalId !== undefined && { externalId }), ...(label !== undefined && { label }) };
    const owners = { ...(tenant !== undefined && { tenant }), ...(key !== undefined && { key }) };
    const created = await limits.during(key, () =>
      sessions.create({ ...opened, ...names, ...owners }, { author, reqId }, undefined, proxy, id),
    );
    await views.waitFor(created.position);
    return created.id;
  }

  /** Uses the link up once its session is connected. */
  #watch(link: CustomerLink): void {
    const { views, clock } = this.#deps;
    const { id, sessionId } = link;
    this.#watched.get(id)?.();
    if (sessionId === undefined || stateOfLink(link, clock.now()) !== 'open') return;
    const look = (): void => {
      if (views.get(sessionId)?.state !== 'connected') return;
      this.#watched.get(id)?.();
      void this.#useUp(id, sessionId);
    };
    const unlisten = views.onChange(sessionId, look);
    this.#watched.set(id, () => {
      unlisten();
      this.#watched.delete(id);
    });
    look();
  }

  /** Until it is recorded, the account is connected and the link shows it. */
  async #useUp(id: string, sessionId: string): Promise<void> {
    const use = (): Promise<unknown> =>
      this.#deps.book.record(id, author, ({ end }) =>
        end === undefined ? { type: 'LinkUsed', data: { sessionId } } : undefined,
      );
    // The next start tries again.
    await retry(this.#deps, storeAway, use, this.#stop).catch(() => {});
  }
}

export const linkNotFound = (): GatewayError => new GatewayError(404, 'link not found');
