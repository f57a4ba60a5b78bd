import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ContactRecord,
  type ConversationRecord,
  contactJson,
  conversationJson,
  type FileRecord,
  type MessageRecord,
  messageJson,
  webhookJson,
} from './records.ts';

/** How a request to the API ends instead of well: with a status, without a response, or without one after it was done. */
export type ApiFault = number | 'hang up' | 'hang up when done';
/** What becomes of webhooks: each once, each twice, or none. */
export type WebhookMode = 'once' | 'twice' | 'never';

export const accessToken = 'agent-token';
export const webhookSecret = 'a secret of the inbox';
export const inboxId = 7;
/** As Chatwoot does. */
const webhookTimeoutMs = 5000;
const pageOfConversations = 25;
const pageBefore = 20;
const pageAfter = 100;

interface Answer {
  status: number;
  body: unknown;
}

/**
 * A Chatwoot with one account and one inbox of the API channel, as far as a bridge sees it: the application API of
 * https://developers.chatwoot.com, and one signed webhook for each message, which is not repeated when it fails.
 */
export class ChatwootStandIn {
  readonly messages: MessageRecord[] = [];
  readonly contacts: ContactRecord[] = [];
  readonly conversations: ConversationRecord[] = [];
  readonly #files: FileRecord[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #deliveries = new Set<Promise<void>>();
  /** For the next requests that change something. */
  readonly faults: ApiFault[] = [];
  webhooks: WebhookMode = 'once';
  webhookUrl = '';
  url = '';
  #lastId = 0;

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all(this.#deliveries);
  }

  /** An agent writes in the only conversation of the contact, or in another one. */
  write(
    content: string,
    options: { private?: boolean; inReplyTo?: number; files?: Omit<FileRecord, 'id'>[]; conversation?: number } = {},
  ): MessageRecord {
    return this.#add({
      conversation: options.conversation ?? this.conversations.at(-1)?.id ?? 0,
      content,
      type: 1,
      private: options.private ?? false,
      inReplyTo: options.inReplyTo ?? null,
      files: (options.files ?? []).map((file) => this.#keep(file)),
    });
  }

  /** An agent opens another conversation with a contact. */
  open(contact: ContactRecord): ConversationRecord {
    const conversation = { id: this.#nextId(), contact: contact.id, inbox: inboxId, lastActivityAt: seconds() };
    this.conversations.push(conversation);
    return conversation;
  }

  /** Sends the webhook of a message again, or changed by `forge`. @returns its status */
  async callWebhook(message: MessageRecord, forge: { secret?: string; timestamp?: number } = {}): Promise<number> {
    const conversation = this.#conversation(message.conversation);
    const body = JSON.stringify(webhookJson(this.url, message, conversation, this.#contact(conversation.contact)));
    const timestamp = String(forge.timestamp ?? seconds());
    const signature = createHmac('sha256', forge.secret ?? webhookSecret)
      .update(`${timestamp}.${body}`)
      .digest('hex');
    const response = await fetch(this.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-chatwoot-timestamp': timestamp,
        'x-chatwoot-signature': `sha256=${signature}`,
        'x-chatwoot-delivery': randomUUID(),
      },
      body,
      signal: AbortSignal.timeout(webhookTimeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #keep(file: Omit<FileRecord, 'id'>): FileRecord {
    const kept = { ...file, id: this.#nextId() };
    this.#files.push(kept);
    return kept;
  }

  #add(
    facts: Pick<MessageRecord, 'conversation' | 'content' | 'type' | 'private' | 'inReplyTo' | 'files'> & {
      sourceId?: string | null;
    },
  ): MessageRecord {
    const message: MessageRecord = {
      sourceId: null,
      id: this.#nextId(),
      createdAt: seconds(),
      status: 'sent',
      error: null,
      ...facts,
    };
    this.messages.push(message);
    this.#conversation(message.conversation).lastActivityAt = message.createdAt;
    const delivery = this.#deliver(message).finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.add(delivery);
    return message;
  }

  /** Chatwoot shows the agent that the message has failed, and leaves it at that. */
  async #deliver(message: MessageRecord): Promise<void> {
    const times = { once: 1, twice: 2, never: 0 }[this.webhooks];
    for (let time = 0; time < times; time += 1) {
      const status = await this.callWebhook(message).catch(() => 0);
      if (status !== 200) message.status = 'failed';
    }
  }

  #conversation(id: number): ConversationRecord {
    const found = this.conversations.find((conversation) => conversation.id === id);
    if (found === undefined) throw new Error(`there is no conversation ${id}`);
    return found;
  }

  #contact(id: number): ContactRecord {
    const found = this.contacts.find((contact) => contact.id === id);
    if (found === undefined) throw new Error(`there is no contact ${id}`);
    return found;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const body = await readBody(request);
    const file = /^\/rails\/active_storage\/(blobs\/redirect|disk)\/(\d+)\//.exec(url.pathname);
    if (file !== null) return this.#serveFile(response, url, { isRedirect: file[1] !== 'disk', id: Number(file[2]) });
    const fault = request.method === 'GET' ? undefined : this.faults.shift();
    if (fault === 'hang up') return void request.socket.destroy();
    if (typeof fault === 'number') return void response.writeHead(fault).end('{}');
    const isKnown = request.headers['api_access_token'] === accessToken;
    const answer = isKnown
      ? this.#answer(`${request.method} ${url.pathname}`, url.searchParams, body)
      : { status: 401, body: {} };
    if (fault === 'hang up when done') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }

  #serveFile(response: ServerResponse, url: URL, { isRedirect, id }: { isRedirect: boolean; id: number }): void {
    const file = this.#files.find((kept) => kept.id === id);
    if (file === undefined) response.writeHead(404).end();
    else if (isRedirect) response.writeHead(302, { location: url.pathname.replace('blobs/redirect', 'disk') }).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
  }

  #answer(call: string, query: URLSearchParams, body: Record<string, unknown>): Answer {
    const [, method = '', path = ''] = /^(\w+) \/api\/v1\/accounts\/1(\/.*)$/.exec(call) ?? [];
    const [, noun = '', id = '', rest = ''] =
      /^\/(contacts|conversations)(?:\/(\d+|filter))?(?:\/(.+))?$/.exec(path) ?? [];
    const name = `${method} ${noun}${id === 'filter' ? '/filter' : id === '' ? '' : '/:id'}${rest === '' ? '' : `/${rest.replace(/\d+/, ':id')}`}`;
    if (name === 'POST contacts') return this.#createContact(body);
    if (name === 'POST contacts/filter') return this.#filter(body);
    if (name === 'GET conversations') return this.#listConversations(Number(query.get('page') ?? 1));
    if (name === 'POST conversations') return this.#createConversation(body);
    if (noun === 'contacts' && !this.contacts.some((contact) => contact.id === Number(id))) return notFound;
    if (noun === 'conversations' && !this.conversations.some((conversation) => conversation.id === Number(id)))
      return notFound;
    if (name === 'GET contacts/:id/conversations') return this.#conversationsOf(Number(id));
    if (name === 'POST contacts/:id/contact_inboxes') return this.#addToInbox(Number(id));
    if (name === 'GET conversations/:id/messages') return this.#listMessages(Number(id), query);
    if (name === 'POST conversations/:id/messages') return this.#createMessage(Number(id), body);
    if (name === 'PATCH conversations/:id/messages/:id') return this.#update(Number(rest.split('/')[1]), body);
    return notFound;
  }

  #createContact({ identifier, name, phone_number, inbox_id }: Record<string, unknown>): Answer {
    const phone = typeof phone_number === 'string' ? phone_number : null;
    const isTaken = this.contacts.some(
      (contact) => contact.identifier === identifier || (phone !== null && contact.phone === phone),
    );
    if (isTaken)
      return { status: 422, body: { message: 'Identifier has already been taken', attributes: ['identifier'] } };
    if (inbox_id !== inboxId) return notFound;
    const contact: ContactRecord = {
      id: this.#nextId(),
      name: String(name),
      identifier: String(identifier),
      phone,
      sources: new Map([[inboxId, randomUUID()]]),
    };
    this.contacts.push(contact);
    return {
      status: 200,
      body: { payload: { contact: contactJson(contact), contact_inbox: { source_id: contact.sources.get(inboxId) } } },
    };
  }

  #filter({ payload }: Record<string, unknown>): Answer {
    const [{ attribute_key, filter_operator, values } = { attribute_key: '', filter_operator: '', values: [] }] =
      payload as { attribute_key: string; filter_operator: string; values: string[] }[];
    if (attribute_key !== 'identifier' || filter_operator !== 'equal_to') return { status: 422, body: {} };
    const found = this.contacts.filter(({ identifier }) => identifier !== null && values.includes(identifier));
    return { status: 200, body: { meta: { count: found.length, current_page: 1 }, payload: found.map(contactJson) } };
  }

  #addToInbox(id: number): Answer {
    const contact = this.#contact(id);
    const source = contact.sources.get(inboxId) ?? randomUUID();
    contact.sources.set(inboxId, source);
    return { status: 200, body: { source_id: source, inbox: { id: inboxId } } };
  }

  #conversationsOf(id: number): Answer {
    const own = this.conversations.filter(({ contact }) => contact === id);
    return {
      status: 200,
      body: { payload: own.map((conversation) => conversationJson(conversation, this.#contact(id))) },
    };
  }

  #createConversation({ source_id, contact_id, inbox_id }: Record<string, unknown>): Answer {
    const contact = this.contacts.find(({ id }) => id === contact_id);
    if (contact === undefined || inbox_id !== inboxId || contact.sources.get(inboxId) !== source_id) return notFound;
    return { status: 200, body: conversationJson(this.open(contact), contact) };
  }

  #listConversations(page: number): Answer {
    const sorted = this.conversations.toSorted((one, other) => other.lastActivityAt - one.lastActivityAt);
    const shown = sorted.slice((page - 1) * pageOfConversations, page * pageOfConversations);
    const payload = shown.map((conversation) => conversationJson(conversation, this.#contact(conversation.contact)));
    return { status: 200, body: { data: { meta: { all_count: sorted.length }, payload } } };
  }

  #listMessages(id: number, query: URLSearchParams): Answer {
    const own = this.messages.filter(({ conversation }) => conversation === id);
    const [after, before] = [query.get('after'), query.get('before')];
    const shown =
      after === null
        ? own.filter((message) => before === null || message.id < Number(before)).slice(-pageBefore)
        : own.filter((message) => message.id > Number(after)).slice(0, pageAfter);
    return { status: 200, body: { meta: {}, payload: shown.map((message) => messageJson(this.url, message)) } };
  }

  #createMessage(conversation: number, body: Record<string, unknown>): Answer {
    const { content, message_type = 'outgoing', source_id = null, content_attributes, files = [] } = body;
    if (typeof content !== 'string' || (content === '' && (files as FileRecord[]).length === 0))
      return { status: 422, body: {} };
    const nested =
      (content_attributes as { in_reply_to?: number } | undefined)?.in_reply_to ??
      body['content_attributes[in_reply_to]'];
    const message = this.#add({
      conversation,
      content,
      type: message_type === 'incoming' ? 0 : 1,
      private: body['private'] === true || body['private'] === 'true',
      sourceId: source_id as string | null,
      inReplyTo: nested === undefined ? null : Number(nested),
      files: (files as Omit<FileRecord, 'id'>[]).map((file) => this.#keep(file)),
    });
    return { status: 200, body: messageJson(this.url, message) };
  }

  #update(id: number, { status, external_error }: Record<string, unknown>): Answer {
    const message = this.messages.find((kept) => kept.id === id);
    if (message === undefined) return notFound;
    message.status = status as MessageRecord['status'];
    message.error = status === 'failed' ? String(external_error) : null;
    return { status: 200, body: messageJson(this.url, message) };
  }
}

const notFound: Answer = { status: 404, body: { error: 'Resource could not be found' } };
const seconds = (): number => Math.floor(Date.now() / 1000);

/** JSON or a form; the files of a form are its `files`. */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (bytes.length === 0) return {};
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const files = await Promise.all(
    form.getAll('attachments[]').map(async (part) => {
      const file = part as File;
      return { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
    }),
  );
  return { ...Object.fromEntries([...form].filter(([name]) => name !== 'attachments[]')), files };
}
