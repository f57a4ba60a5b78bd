import type { Randomness } from '../../../../actors/ports/clock.ts';
import type { Answer } from '../../gateway/gateway.ts';
import { ann, type Caller, type Scene } from '../scene.ts';

/** A chat that people write in. */
export interface WalkedChat {
  /** As Ann's gateway names it. */
  id: string;
  /** The field of a request's body that names it. */
  field: 'user' | 'group' | 'channel';
  /** Who writes there by their phones, beside Ann. */
  peers: readonly string[];
  /** Of a forum. */
  topics?: readonly number[];
}

interface PhoneMessage {
  id: number;
  out: boolean;
  text: string;
}

/** What Ann's gateway is asked to do, or her peers do by their phones. */
type Act = (chat: WalkedChat) => Promise<void>;

const emojis = ['👍', '❤', '🔥', ''];

/**
 * Ann acts through the gateway, her peers and she herself by phones: one act after the other, drawn from a seed. What
 * Telegram refuses (an edit of a message that is gone) counts too, as the refusal that it is.
 */
export class ChatWalk {
  /** How often each act was carried out, and how often Telegram refused it. */
  readonly happened = new Map<string, number>();
  /** IDs of messages that the gateway sent, by chat: it does not tell the webhook of them. */
  readonly sent = new Map<string, Set<string>>();
  readonly #scene: Scene;
  readonly #caller: Caller;
  readonly #chats: readonly WalkedChat[];
  readonly #random: Pick<Randomness, 'fraction'>;
  #count = 0;

  constructor(scene: Scene, caller: Caller, chats: readonly WalkedChat[], random: Pick<Randomness, 'fraction'>) {
    this.#scene = scene;
    this.#caller = caller;
    this.#chats = chats;
    this.#random = random;
  }

  async step(): Promise<void> {
    this.#count += 1;
    await this.#pick(this.#acts)(this.#pick(this.#chats));
  }

  /** Marks all chats as read, so that what comes later can be counted. */
  async readAll(): Promise<void> {
    for (const chat of this.#chats) await this.#ask('read', 'POST', '/chat/read', { [chat.field]: chat.id });
  }

  readonly #acts: readonly Act[] = [
    (chat) => this.#send(chat),
    (chat) => this.#send(chat),
    (chat) => this.#peerSends(chat),
    (chat) => this.#peerSends(chat),
    (chat) => this.#peerSends(chat),
    (chat) => this.#annsPhoneSends(chat),
    async (chat) => {
      const messageId = await this.#own(chat);
      if (messageId === undefined) return;
      await this.#ask('edit', 'PATCH', '/message', { [chat.field]: chat.id, messageId, text: this.#text() });
    },
    async (chat) => {
      const messageId = await this.#any(chat);
      if (messageId === undefined) return;
      const forEveryone = this.#below(2) === 1;
      const query = `${chat.field}=${chat.id}&messageIds=${messageId}&forEveryone=${forEveryone}`;
      await this.#ask('delete', 'DELETE', `/message?${query}`);
    },
    async (chat) => {
      const messageId = await this.#any(chat);
      if (messageId === undefined) return;
      const emoji = this.#pick(emojis);
      await this.#ask('react', 'POST', '/message/reaction', { [chat.field]: chat.id, messageId, emoji });
    },
    async (chat) => {
      const messageId = await this.#any(chat);
      if (messageId === undefined) return;
      const isOn = this.#below(2) === 1;
      if (isOn) await this.#ask('pin', 'POST', '/message/pin', { [chat.field]: chat.id, messageId });
      else await this.#ask('unpin', 'DELETE', `/message/pin?${chat.field}=${chat.id}&messageId=${messageId}`);
    },
    async (chat) => {
      await this.#ask('read', 'POST', '/chat/read', { [chat.field]: chat.id });
    },
    async (chat) => {
      const on = this.#below(2) === 1;
      const what = this.#pick(['archive', 'mute', 'pin']);
      await this.#ask(what, 'POST', `/chat/${what}`, { [chat.field]: chat.id, on });
    },
    (chat) => this.#peerChanges(chat, 'edit', 'PATCH', { text: this.#text() }),
    (chat) => this.#peerChanges(chat, 'delete', 'DELETE'),
    (chat) => this.#peerTouches(chat, 'react', 'reaction', { reaction: this.#pick(emojis) }),
    (chat) => this.#peerTouches(chat, 'pin', 'pin', { pinned: this.#below(2) === 1 }),
    async (chat) => {
      const peer = this.#pick(chat.peers);
      await this.#phone('read', 'POST', `/accounts/${peer}/read`, { peer: this.#seenBy(chat, peer) });
    },
    (chat) => this.#phone('own read', 'POST', `/accounts/${ann}/read`, { peer: chat.id }),
    (chat) => this.#forward(chat),
  ];

  async #send(chat: WalkedChat): Promise<void> {
    const replyTo = this.#below(3) === 0 ? await this.#any(chat) : undefined;
    const topic = chat.topics && String(this.#pick(chat.topics));
    const body = { [chat.field]: chat.id, type: 'text', text: this.#text(), ...(topic ? { topic } : { replyTo }) };
    const answer = await this.#ask('send', 'POST', '/message', body);
    this.#remember(chat, answer?.body['messageId']);
  }

  async #forward(chat: WalkedChat): Promise<void> {
    const messageId = await this.#any(chat);
    const to = this.#pick(this.#chats);
    if (messageId === undefined) return;
    const body = { from: { [chat.field]: chat.id }, messageIds: [messageId], [to.field]: to.id };
    const answer = await this.#ask('forward', 'POST', '/message/forward', body);
    for (const id of (answer?.body['messageIds'] as string[] | undefined) ?? []) this.#remember(to, id);
  }

  #peerSends(chat: WalkedChat): Promise<void> {
    const peer = this.#pick(chat.peers);
    return this.#phone('send', 'POST', `/accounts/${peer}/messages`, {
      peer: this.#seenBy(chat, peer),
      text: this.#text(),
    });
  }

  #annsPhoneSends(chat: WalkedChat): Promise<void> {
    return this.#phone('own', 'POST', `/accounts/${ann}/messages`, { peer: chat.id, text: this.#text() });
  }

  async #peerChanges(chat: WalkedChat, what: string, method: string, body?: object): Promise<void> {
    const peer = this.#pick(chat.peers);
    const at = this.#seenBy(chat, peer);
    const own = (await this.#messages(peer, at)).filter(({ out }) => out);
    if (own.length === 0) return;
    await this.#phone(what, method, `/accounts/${peer}/messages/${at}/${this.#pick(own).id}`, body);
  }

  /** A peer does something to any message of the chat. */
  async #peerTouches(chat: WalkedChat, what: string, path: string, body: object): Promise<void> {
    const peer = this.#pick(chat.peers);
    const at = this.#seenBy(chat, peer);
    const messages = await this.#messages(peer, at);
    if (messages.length === 0) return;
    await this.#phone(what, 'PUT', `/accounts/${peer}/messages/${at}/${this.#pick(messages).id}/${path}`, body);
  }

  /** The chat as a peer's phone names it. */
  #seenBy({ id, field }: WalkedChat, peer: string): string {
    return field === 'user' && peer !== ann ? ann : id;
  }

  /** The newest messages of the chat, as the account sees them. */
  #messages(account: string, chat: string): Promise<PhoneMessage[]> {
    return this.#scene.sandbox.call('GET', `/accounts/${account}/messages?peer=${chat}&limit=8`);
  }

  async #any(chat: WalkedChat): Promise<string | undefined> {
    const messages = (await this.#messages(ann, chat.id)).filter(({ text }) => text.startsWith('Text '));
    return messages.length === 0 ? undefined : String(this.#pick(messages).id);
  }

  async #own(chat: WalkedChat): Promise<string | undefined> {
    const own = (await this.#messages(ann, chat.id)).filter(({ out, text }) => out && text.startsWith('Text '));
    return own.length === 0 ? undefined : String(this.#pick(own).id);
  }

  /** Undefined if Telegram refused. @throws on any other error */
  async #ask(what: string, method: string, path: string, body?: object): Promise<Answer | undefined> {
    const answer = await this.#scene.whilePassing(this.#scene.request(this.#caller, method, path, body));
    if (answer.status === 200) {
      this.#note(what);
      return answer;
    }
    const { message } = answer.body as { message: string };
    if (!/^\d{3}: [A-Z_0-9]+ \(caused by /.test(message)) throw new Error(`${method} ${path}: ${message}`);
    this.#note(`${what} refused: ${message}`);
    return undefined;
  }

  async #phone(what: string, method: string, path: string, body?: object): Promise<void> {
    try {
      await this.#scene.sandbox.call(method, path, body);
      this.#note(`phone: ${what}`);
    } catch (error) {
      this.#note(`phone: ${what} refused: ${(error as Error).message}`);
    }
  }

  #remember({ id }: WalkedChat, messageId: unknown): void {
    if (typeof messageId !== 'string') return;
    const sent = this.sent.get(id) ?? new Set();
    this.sent.set(id, sent.add(messageId));
  }

  #note(what: string): void {
    this.happened.set(what, (this.happened.get(what) ?? 0) + 1);
  }

  #text = (): string => `Text ${this.#count}`;
  #pick = <Item>(items: readonly Item[]): Item => items[this.#below(items.length)] as Item;
  #below = (limit: number): number => Math.floor(this.#random.fraction() * limit);
}
