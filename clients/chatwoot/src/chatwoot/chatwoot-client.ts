import type { Config } from '../config.ts';
import type { DownloadedFile } from '../gateway/gateway-client.ts';
import { fetchFrom, jsonOf, Problem, retryAfterMsOf } from '../problem.ts';
import type { ChatwootContact, ChatwootConversation, ChatwootMessage } from './payloads.ts';

/** Longer than Chatwoot itself works on a request (15 s): after it the message is there, or will never be. */
const timeoutMs = 30_000;
const downloadTimeoutMs = 120_000;

export interface PostedMessage {
  content: string;
  isOutgoing: boolean;
  isPrivate: boolean;
  sourceId: string;
  inReplyTo: number | undefined;
  file: DownloadedFile | undefined;
}

/** Chatwoot's application API, as https://developers.chatwoot.com describes it. */
export class ChatwootClient {
  readonly #config: Config;
  readonly #base: string;

  constructor(config: Config) {
    this.#config = config;
    this.#base = `${config.chatwootUrl}/api/v1/accounts/${config.accountId}`;
  }

  /** @throws {Problem} of status 422, if the identifier or the phone belongs to another contact */
  async createContact(contact: {
    identifier: string;
    name: string;
    phone_number?: string;
    avatar_url?: string;
  }): Promise<ChatwootContact> {
    const { payload } = await this.#call<{ payload: { contact: ChatwootContact } }>('POST', '/contacts', {
      inbox_id: this.#config.inboxId,
      ...contact,
    });
    return payload.contact;
  }

  async findContact(identifier: string): Promise<ChatwootContact | undefined> {
    const filter = {
      attribute_key: 'identifier',
      filter_operator: 'equal_to',
      values: [identifier],
      query_operator: null,
    };
    const { payload } = await this.#call<{ payload: ChatwootContact[] }>('POST', '/contacts/filter', {
      payload: [filter],
    });
    return payload.find((contact) => contact.identifier === identifier);
  }

  /** Adds the contact to the inbox. @returns its `source_id` there */
  async addToInbox(contactId: number): Promise<string> {
    const { source_id } = await this.#call<{ source_id: string }>('POST', `/contacts/${contactId}/contact_inboxes`, {
      inbox_id: this.#config.inboxId,
    });
    return source_id;
  }

  async conversationsOf(contactId: number): Promise<ChatwootConversation[]> {
    return (await this.#call<{ payload: ChatwootConversation[] }>('GET', `/contacts/${contactId}/conversations`))
      .payload;
  }

  async createConversation(contactId: number, sourceId: string): Promise<ChatwootConversation> {
    return this.#call('POST', '/conversations', {
      source_id: sourceId,
      inbox_id: this.#config.inboxId,
      contact_id: contactId,
      status: 'open',
    });
  }

  /** Conversations of the inbox, the one with the newest activity first. @param page from 1 */
  async recentConversations(page: number): Promise<ChatwootConversation[]> {
    const query = `?inbox_id=${this.#config.inboxId}&status=all&assignee_type=all&page=${page}`;
    return (await this.#call<{ data: { payload: ChatwootConversation[] } }>('GET', `/conversations${query}`)).data
      .payload;
  }

  /** Messages of a conversation, in their order: the newest, those before one, or those after one. */
  async messages(conversationId: number, place: { before?: number; after?: number }): Promise<ChatwootMessage[]> {
    const query = new URLSearchParams(Object.entries(place).map(([name, id]): [string, string] => [name, String(id)]));
    const path = `/conversations/${conversationId}/messages?${query.toString()}`;
    const { payload } = await this.#call<{ payload: ChatwootMessage[] }>('GET', path);
    return payload.toSorted((one, other) => one.id - other.id);
  }

  async post(conversationId: number, message: PostedMessage): Promise<ChatwootMessage> {
    const { content, isOutgoing, isPrivate, sourceId, inReplyTo, file } = message;
    const path = `/conversations/${conversationId}/messages`;
    const type = isOutgoing ? 'outgoing' : 'incoming';
    if (file === undefined) {
      return this.#call('POST', path, {
        content,
        message_type: type,
        private: isPrivate,
        source_id: sourceId,
        ...(inReplyTo === undefined ? {} : { content_attributes: { in_reply_to: inReplyTo } }),
      });
    }
    const form = new FormData();
    form.set('content', content);
    form.set('message_type', type);
    form.set('private', String(isPrivate));
    form.set('source_id', sourceId);
    if (inReplyTo !== undefined) form.set('content_attributes[in_reply_to]', String(inReplyTo));
    form.set('attachments[]', new Blob([file.bytes], { type: file.mimetype }), file.name);
    return this.#call('POST', path, form);
  }

  /** Shows the agent what became of a message; only for inboxes of the API channel. */
  async setStatus(
    conversationId: number,
    messageId: number,
    status: 'delivered' | 'failed',
    reason = '',
  ): Promise<void> {
    const error = status === 'failed' ? { external_error: reason } : {};
    await this.#call('PATCH', `/conversations/${conversationId}/messages/${messageId}`, { status, ...error });
  }

  /** The file of an attachment: the address needs no token, and gets none. @throws {Problem} */
  async download(url: string): Promise<{ bytes: Buffer; mimetype: string; name: string }> {
    const response = await fetchFrom('Chatwoot', new URL(url, this.#config.chatwootUrl).href, {}, downloadTimeoutMs);
    if (!response.ok) throw problemOf(response, 'a file cannot be fetched');
    const bytes = Buffer.from(
      await response.arrayBuffer().catch(() => {
        throw new Problem('a file of Chatwoot broke off', { isRetryable: true });
      }),
    );
    const name = decodeURIComponent(new URL(url, this.#config.chatwootUrl).pathname.split('/').at(-1) ?? '');
    return { bytes, mimetype: (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '', name };
  }

  async #call<T>(method: string, path: string, body?: Record<string, unknown> | FormData): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetchFrom(
      'Chatwoot',
      `${this.#base}${path}`,
      {
        method,
        headers: {
          api_access_token: this.#config.accessToken,
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      },
      timeoutMs,
    );
    if (!response.ok) {
      await response.body?.cancel();
      throw problemOf(response, `${method} ${path.split('?')[0] ?? ''}`);
    }
    return jsonOf('Chatwoot', response);
  }
}

/** A wrong token (401, 403) is not the message's fault: it waits until someone has put it right. */
function problemOf(response: Response, what: string): Problem {
  const { status } = response;
  const isRetryable = status >= 500 || status === 429 || status === 408 || status === 401 || status === 403;
  return new Problem(`Chatwoot: ${status} (${what})`, {
    isRetryable,
    status,
    retryAfterMs: retryAfterMsOf(response.headers),
  });
}
