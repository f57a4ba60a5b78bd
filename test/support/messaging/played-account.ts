import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import type { SendMark } from '../../../src/telegram/port/outgoing.ts';
import type { Peer } from '../../../src/telegram/port/peer.ts';

export const ann: Peer = { kind: 'user', id: '1002' };

/** What an account was asked: the method, and its arguments without the signal. */
type Asked = [method: string, ...args: unknown[]];

export interface PlayedAccount extends TelegramAccount {
  asked: Asked[];
}

/** An account that knows one user, Ann, and writes down what it is asked. Sends are answered with 7. */
export function playAccount(overrides: Partial<TelegramAccount> = {}): PlayedAccount {
  const asked: Asked[] = [];
  const account = {
    asked,
    id: '1001',
    maxUploadBytes: 1000,
    async userById() {
      return ann;
    },
    async sendText(peer: Peer, message: object) {
      asked.push(['sendText', peer, message]);
      return 7;
    },
    async sendMedia(peer: Peer, media: object, caption: object, begin: () => Promise<SendMark>) {
      asked.push(['sendMedia', peer, media, caption, await begin()]);
      return 7;
    },
    async sentBefore(peer: Peer, randomId: bigint) {
      asked.push(['sentBefore', peer, randomId]);
      return undefined;
    },
    async showTyping(peer: Peer, action: string) {
      asked.push(['showTyping', peer, action]);
    },
    async postedBefore(mark: SendMark) {
      asked.push(['postedBefore', mark]);
      return undefined;
    },
    async postStory(story: object, begin: () => Promise<SendMark>, mayBeOut: boolean) {
      asked.push(['postStory', story, await begin(), mayBeOut]);
      return { id: 7, created: 1, expires: 2 };
    },
    ...overrides,
  };
  return account as unknown as PlayedAccount;
}
