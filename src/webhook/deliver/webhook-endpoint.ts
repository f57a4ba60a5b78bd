import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import type { SessionView } from '../../../projections/session-view.ts';

/** The endpoint of a session's webhook, in the clear. */
export interface WebhookEndpoint {
  url: string;
  token: string;
  generatedId: string;
  /** The caller's own ID of the session, if it has one. */
  externalId?: string | undefined;
}

/** What of a view an endpoint is made of. */
type Opened = Pick<SessionView, 'webhook' | 'account' | 'externalId'>;

/** The recorded webhook cannot be opened: it has to be set again. The message is for its owner. */
export class UnreadableEndpointError extends Error {
  override name = 'UnreadableEndpointError';
}

/** Opens the sealed endpoint of a webhook once for each change of it. */
export class EndpointOf {
  readonly #sealer: Pick<Sealer, 'open'>;
  #of: Opened = {};
  #opened: WebhookEndpoint | undefined;

  constructor(sealer: Pick<Sealer, 'open'>) {
    this.#sealer = sealer;
  }

  /** The endpoint if it is open already. */
  openEndpoint(view: SessionView | undefined): WebhookEndpoint | undefined {
    return view !== undefined && isSame(this.#of, view) ? this.#opened : undefined;
  }

  /**
   * Undefined if the session has no webhook, or its key is destroyed.
   * @throws {UnreadableEndpointError} {@link UnreadableEventError} of the vault. {@link StoreUnavailableError}
   */
  async get(view: SessionView | undefined): Promise<WebhookEndpoint | undefined> {
    try {
      return view && (await this.#open(view));
    } catch (error) {
      if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
      throw new UnreadableEndpointError('its URL and token cannot be opened');
    }
  }

  async #open(view: SessionView): Promise<WebhookEndpoint | undefined> {
    if (view.webhook === undefined) return undefined;
    const { webhook, account, externalId } = view;
    const open = (sealed: Parameters<Sealer['open']>[1]): Promise<string | undefined> =>
      this.#sealer.open(view.id, sealed);
    const [url, token, accountJson] = await Promise.all([
      open(webhook.url),
      open(webhook.token),
      account === undefined ? '' : open(account),
    ]);
    if (url === undefined || token === undefined) return undefined;
    const generatedId = accountJson ? (JSON.parse(accountJson) as Account).id : '';
    this.#of = view;
    this.#opened = { url, token, generatedId, externalId };
    return this.#opened;
  }
}

const isSame = (one: Opened, other: Opened): boolean =>
  isSameWebhook(one, other) && one.account === other.account && one.externalId === other.externalId;

/** Each command seals its webhook anew: the same sealed text is the same webhook. */
export const isSameWebhook = (
  { webhook: one }: Pick<SessionView, 'webhook'>,
  { webhook: other }: Pick<SessionView, 'webhook'>,
): boolean => one?.url === other?.url && one?.token === other?.token;
