import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { markedPeerId } from '../../../../sandbox/world/state/peer.ts';
import { control } from '../control-client.ts';

const accounts = [1001, 1002, 1003, 1004];
const roles = ['creator', 'admin', 'member', 'member', 'left', 'kicked'];
const kinds = ['basic', 'supergroup', 'channel'];

interface Sent {
  from: number;
  peer: string;
  id: string;
}

/** Makes one change after the other by the control API, drawn from a seed: of chats, members, people and messages. */
export class RandomChanges {
  readonly #sandbox: Sandbox;
  readonly #sent: Sent[] = [];
  #state: number;
  #count = 0;

  constructor(sandbox: Sandbox, seed: number) {
    this.#sandbox = sandbox;
    this.#state = seed;
  }

  /** Makes a change, and says which. Some are refused, as Telegram would refuse them. @throws on a defect */
  async next(): Promise<string> {
    this.#count += 1;
    const [method, path, body] = this.#draw();
    const { status, body: answer } = await control(this.#sandbox, method, path, body);
    if (status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
    const isSend = status === 200 && path.endsWith('/messages') && method === 'POST';
    const { peer } = (body ?? {}) as { peer?: string };
    if (isSend && peer) this.#sent.push({ from: Number(path.split('/')[2]), peer, id: answer.messageId });
    return `${method} ${path} ${JSON.stringify(body)} ${status}`;
  }

  #draw(): [string, string, object?] {
    const chat = this.#pick(this.#chats());
    const account = this.#pick(accounts);
    const name = `Name ${this.#count}`;
    const last = this.#sent.length > 0 ? this.#pick(this.#sent) : undefined;
    const message = last && `/accounts/${last.from}/messages/${last.peer}/${last.id}`;
    const changes: [weight: number, change: [string, string, object?]][] = [
      [8, ['PUT', `/chats/${chat}/members/${account}`, { role: this.#pick(roles) }]],
      [4, ['PUT', `/chats/${chat}/members/1001`, { role: this.#pick(roles) }]],
      [2, ['PATCH', `/chats/${chat}`, { title: name }]],
      [2, ['PATCH', `/chats/${chat}`, { photo: this.#below(2) === 1 }]],
      [1, ['PATCH', `/chats/${chat}`, { about: name }]],
      [2, ['PATCH', `/chats/${chat}`, { username: this.#pick(['', `group_${this.#count}`]) }]],
      [2, ['PATCH', `/chats/${chat}`, { readOnly: this.#below(2) === 1 }]],
      [1, ['PATCH', `/chats/${chat}`, { membersHidden: this.#below(2) === 1 }]],
      [1, ['PATCH', `/chats/${chat}`, { slowmodeSeconds: this.#pick([0, 10]) }]],
      [1, ['PATCH', `/chats/${chat}`, { title: `${name} all`, photo: true, about: name, readOnly: false }]],
      [2, ['POST', `/accounts/${account}/groups`, { kind: this.#pick(kinds), title: name, members: this.#below(3) }]],
      [1, ['POST', `/chats/${chat}/members`, { count: 1 + this.#below(3) }]],
      [1, ['POST', `/chats/${chat}/migrate`]],
      [2, ['PATCH', `/accounts/${account}`, { firstName: name, lastName: this.#pick(['', 'Last']) }]],
      [1, ['PATCH', `/accounts/${account}`, { username: `user_${this.#count}`, photo: this.#below(2) === 1 }]],
      [8, ['POST', `/accounts/${account}/messages`, { peer: chat, text: name }]],
      [3, ['POST', `/accounts/${account}/messages`, { peer: String(this.#pick(accounts)), text: name }]],
      [2, ['POST', '/accounts/1001/read', { peer: this.#pick([chat, '1002', '1003']) }]],
      ...(message ? ([[2, ['DELETE', message]]] as [number, [string, string]][]) : []),
      ...(message
        ? ([[1, ['PATCH', message, { text: `${name} again` }]]] as [number, [string, string, object]][])
        : []),
    ];
    let left = this.#below(changes.reduce((sum, [weight]) => sum + weight, 0));
    const drawn = changes.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    if (!drawn) throw new Error('no change was drawn');
    return drawn[1];
  }

  #chats(): string[] {
    return [...this.#sandbox.world.tables.chats.values()].map((chat) => markedPeerId(chat));
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  /** A number from 0, by a linear congruential generator. */
  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}
