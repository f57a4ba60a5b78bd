import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import type { ActiveWebhook } from '../places/active-webhooks.ts';

/** The endpoint of a session's webhook, in the clear. */
export interface WebhookEndpoint {
  url: string;
  token: string;
  generatedId: string;
  /** The caller's own ID of the session, if it has one. */
  externalId?: string | undefined;
}

/** What an endpoint is made of. */
type Opened = Pick<ActiveWebhook, 'webhook' | 'account' | 'externalId'>;

/** The recorded webhook cannot be opened: it has to be set again. The message is for its owner. */
export class UnreadableEndpointError extends Error {
  override name = 'UnreadableEndpointError';
}

/** Opens the sealed endpoint of a webhook once for each change of it. */
export class EndpointOf {
  readonly #sealer: Pick<Sealer, 'open'>;
  #of: Opened | undefined;
  #opened: WebhookEndpoint | undefined;

  constructor(sealer: Pick<Sealer, 'open'>) {
    this.#sealer = sealer;
  }

  /** The endpoint if it is open already. */
  openEndpoint(webhook: ActiveWebhook): WebhookEndpoint | undefined {
    return this.#of !== undefined && isSame(this.#of, webhook) ? this.#opened : undefined;
  }

  /**
   * Undefined if the session's key is destroyed.
   * @throws {UnreadableEndpointError} {@link UnreadableEventError} of the vault. {@link StoreUnavailableError}
   */
  async get(webhook: ActiveWebhook): Promise<WebhookEndpoint | undefined> {
    try {
      return await this.#open(webhook);
    } catch (error) {
      if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
      throw new UnreadableEndpointError('its URL and token cannot be opened');
    }
  }

  async #open({ sessionId, webhook, account, externalId }: ActiveWebhook): Promise<WebhookEndpoint | undefined> {
    const open = (sealed: Parameters<Sealer['open']>[1]): Promise<string | undefined> =>
      this.#sealer.open(sessionId, sealed);
    const [url, token, accountJson] = await Promise.all([
      open(webhook.url),
      open(webhook.token),
      account === undefined ? '' : open(account),
    ]);
    if (url === undefined || token === undefined) return undefined;
    const generatedId = accountJson ? (JSON.parse(accountJson) as Account).id : '';
    this.#of = { webhook, account, externalId };
    this.#opened = { url, token, generatedId, externalId };
    return this.#opened;
  }
}

const isSame = (one: Opened, other: Opened): boolean =>
  isSameWebhook(one, other) && one.account === other.account && one.externalId === other.externalId;

/** Each command seals its webhook anew: the same sealed text is the same webhook. */
export const isSameWebhook = (
  { webhook: one }: Pick<ActiveWebhook, 'webhook'>,
  { webhook: other }: Pick<ActiveWebhook, 'webhook'>,
): boolean => one.url === other.url && one.token === other.token;
