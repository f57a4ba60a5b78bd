import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { withinChats } from '../../../src/recipients/within-chats.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import {
  InvalidUsernameError,
  MessageNotFoundError,
  PeerNotFoundError,
  PhoneNotFoundError,
} from '../../../src/telegram/port/errors.ts';
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

  it('[KY5.3] shows messages of the chat that is read alone, whatever Telegram answers', async () => {
    const seen = (chatId: string) => ({ message: { chatId } });
    const answer = async () => ({ messages: [seen('1002'), seen('1003')], before: 7 });
    const reading = { messages: answer, search: answer } as unknown as TelegramAccount['reading'];
    const bound = withinChats(playAccount({ reading }), chats).reading;
    const page = { before: 0, limit: 2 };
    const expected = { messages: [seen('1002')], before: 7 };
    expect(await bound.messages(peer('1002'), page, signal)).toEqual(expected);
    expect(await bound.search(peer('1002'), 'word', page, signal)).toEqual(expected);
  });

  it('[KY5.3] does nothing to a message that the chat does not have', async () => {
    const done: unknown[] = [];
    const act = async (...given: unknown[]) => void done.push(given.slice(0, 2));
    const message = async ({ id }: Peer, messageId: number) => (id === '1002' && messageId === 7 ? {} : undefined);
    const bound = withinChats(
      playAccount({
        messageActions: { edit: act, react: act, pin: act } as unknown as TelegramAccount['messageActions'],
        reading: { message } as unknown as TelegramAccount['reading'],
      }),
      chats,
    ).messageActions;
    const text = { text: 'x', entities: [] };
    const acts = (id: number): Promise<void>[] => [
      bound.edit(peer('1002'), id, text, undefined, signal),
      bound.react(peer('1002'), id, '👍', signal),
      bound.pin(peer('1002'), id, true, signal),
    ];
    for (const one of acts(8)) expect(await failureOf(one)).toBeInstanceOf(MessageNotFoundError);
    expect(done).toEqual([]);
    await Promise.all(acts(7));
    expect(done).toEqual(Array.from({ length: 3 }, () => [peer('1002'), 7]));
  });

  it('[KY5.9] sends no contact, at once or later: Telegram would tell whose phone it is', async () => {
    const account = playAccount();
    const bound = withinChats(account, chats);
    const begin = () => Promise.reject(new Error('begun'));
    const contact = { kind: 'contact', phone: '+15550000003', firstName: 'Cara', lastName: '' } as const;
    const text = { text: '', entities: [] } as const;
    expect(await failureOf(bound.sendMedia(peer('1002'), contact, text, begin, signal))).toMatchObject(wholeAccount);
    const later = bound.schedule(peer('1002'), [contact], { ...text, sendAt: 1 }, begin, signal);
    expect(await failureOf(later)).toMatchObject(wholeAccount);
    expect(account.asked).toEqual([]);
  });

  it('[KY5.9] mentions nobody but the people of its chats, in whatever it sends and edits', async () => {
    const said: unknown[] = [];
    const noted = async (...given: object[]): Promise<never> => {
      said.push(given.find((each) => 'entities' in Object(each)));
      return undefined as never;
    };
    const bound = withinChats(
      playAccount({
        sendText: noted,
        sendMedia: noted,
        sendAlbum: noted,
        schedule: noted,
        messageActions: { edit: noted } as unknown as TelegramAccount['messageActions'],
        reading: { message: async () => ({}) } as unknown as TelegramAccount['reading'],
      }),
      chats,
    );
    const mention = (userId: string) => ({ type: 'mention', offset: 0, length: 1, userId }) as const;
    const bold = { type: 'bold', offset: 0, length: 1 } as const;
    const text = { text: 'x', entities: [mention('1002'), bold, mention('1003')] };
    const begin = () => Promise.reject(new Error('begun'));
    const place = { kind: 'location', latitude: 1, longitude: 1 } as const;
    const ann = peer('1002');
    await bound.sendText(ann, { ...text, randomId: 1n, begunAt: 0 }, signal);
    await bound.sendMedia(ann, place, text, begin, signal);
    await bound.sendAlbum(ann, [place], text, begin, signal);
    await bound.schedule(ann, [place], { ...text, sendAt: 1 }, begin, signal);
    await bound.messageActions.edit(ann, 1, text, undefined, signal);
    expect(said).toHaveLength(5);
    for (const one of said) expect(one).toMatchObject({ text: 'x', entities: [mention('1002'), bold] });
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
