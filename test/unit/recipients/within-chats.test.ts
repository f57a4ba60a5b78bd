import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { withinChats } from '../../../src/recipients/within-chats.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import { InvalidUsernameError, PeerNotFoundError, PhoneNotFoundError } from '../../../src/telegram/port/errors.ts';
import type { Peer } from '../../../src/telegram/port/peer.ts';
import { failureOf } from '../../support/kit/failure-of.ts';
import { playAccount } from '../../support/messaging/played-account.ts';

const signal = new LightAbort();
const chats = ['1002', '-1003001'];
const peer = (id: string): Peer => ({ kind: id.startsWith('-') ? 'group' : 'user', id });
const otherChat = { statusCode: 403, message: 'chat is not among those of the key' };
const wholeAccount = { statusCode: 403, message: 'a key with chats may not do this' };

describe('an account within chats', () => {
  it('[KY5.3] looks up no ID of another chat', async () => {
    const looked: string[] = [];
    const look = async (id: string): Promise<Peer> => (looked.push(id), peer(id));
    const bound = withinChats(playAccount({ userById: look, chatById: look }), chats);
    expect(await bound.userById('1002', signal)).toEqual(peer('1002'));
    expect(await bound.chatById('-1003001', signal)).toEqual(peer('-1003001'));
    expect(await failureOf(bound.userById('1003', signal))).toMatchObject(otherChat);
    expect(await failureOf(bound.chatById('-1003002', signal))).toMatchObject(otherChat);
    expect(looked).toEqual(['1002', '-1003001']);
  });

  it.each([
    ['of another chat', () => Promise.resolve(peer('1003'))],
    ['that nobody has', () => Promise.reject(new PeerNotFoundError(''))],
    ['that cannot be', () => Promise.reject(new InvalidUsernameError(''))],
    ['without a user', () => Promise.reject(new PhoneNotFoundError(''))],
  ])('[KY5.3] refuses a name or phone %s as any other', async (_what, look) => {
    const bound = withinChats(playAccount({ byUsername: look, byPhone: look }), chats);
    expect(await failureOf(bound.byUsername('somebody', signal))).toMatchObject(otherChat);
    expect(await failureOf(bound.byPhone('15550000009', signal))).toMatchObject(otherChat);
  });

  it('[KY5.3] passes on why Telegram did not say who has a name', async () => {
    const lost = new Error('the connection is lost');
    const bound = withinChats(playAccount({ byUsername: () => Promise.reject(lost) }), chats);
    expect(await failureOf(bound.byUsername('somebody', signal))).toBe(lost);
  });

  it('[KY5.2] refuses what is of the account as a whole', async () => {
    const bound = withinChats(playAccount(), chats);
    const page = { after: undefined, limit: 1 };
    const refused: (() => Promise<unknown>)[] = [
      () => bound.reading.list({ archived: false, ...page }, signal),
      () => bound.reading.searchAll('word', page, signal),
      () => bound.people.contacts(signal),
      () => bound.people.block(peer('1002'), true, signal),
      () => bound.own.profile(signal),
      () => bound.own.devices(signal),
      () => bound.administration.leave(peer('-1003001'), signal),
      () => bound.raw.prepare('help.getConfig', {}, signal),
      () => bound.files.open({ chatId: '1003', messageId: '1', variant: 'photo' }, signal),
      () => bound.postStory({} as never, () => Promise.reject(new Error('begun')), false, signal),
    ];
    for (const one of refused) expect(await failureOf(one())).toMatchObject(wholeAccount);
  });

  it('[KY5.4] has joined its own chats', async () => {
    const all = ['-1003001', '-1003002', '-2001'].map((id) => peer(id));
    const joined = { joined: async () => all } as unknown as TelegramAccount['chats'];
    expect(await withinChats(playAccount({ chats: joined }), chats).chats.joined(signal)).toEqual([peer('-1003001')]);
  });

  it('[KY5.1] is one object for the same key, whose caches are kept by it', () => {
    const account = playAccount();
    expect(withinChats(account, chats)).toBe(withinChats(account, chats));
    expect(withinChats(account, [...chats])).not.toBe(withinChats(account, chats));
    expect(withinChats(playAccount(), chats)).not.toBe(withinChats(account, chats));
  });
});
