import { describe, expect, it } from 'vitest';
import { useActing } from '../../../support/e2e/acting.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { refused } from '../../../support/e2e/writing-scene.ts';

/** Edits, deletions, reactions and pins, as the other side sees them. */

const acting = useActing();
const { calls, control, message, newest, newText, request, seen, write } = acting;

const family = '-2001';
const makers = '-1003001';
const daily = '-1004001';
const chats = {
  'a private chat': { user: bob },
  'a basic group': { group: family },
  'a supergroup': { group: makers },
};
const peerOf = (chat: object): string => Object.values(chat)[0] as string;
/** What Bob calls the chat in which Ann writes there. */
const atBob = (chat: object): string => (peerOf(chat) === bob ? ann : peerOf(chat));

describe('PATCH /message', () => {
  it.each(Object.entries(chats))('[MX2.1] in %s another text, with formats, for all', async (_name, chat) => {
    const id = await write(ann, peerOf(chat), { text: newText() });
    const text = newText();
    const body = { ...chat, messageId: String(id), text: `**${text}**`, parseMode: 'markdown' };
    expect(await request('PATCH', '/message', body)).toMatchObject({ status: 200, body: { id: acting.caller.id } });
    expect(await message(peerOf(chat), id)).toMatchObject({ text, edited: expect.any(String) });
    const entities = [{ _: 'messageEntityBold', offset: 0, length: text.length }];
    expect(await newest(atBob(chat), bob)).toMatchObject({ text, entities });
  });

  it('[MX2.1] a caption, which may be removed; the file stays', async () => {
    const id = await write(ann, bob, { media: { kind: 'photo' }, text: 'before' });
    const { media } = await newest(ann, bob);
    for (const text of ['after', '']) {
      const edited = await request('PATCH', '/message', { user: bob, messageId: String(id), text });
      expect(edited.status).toBe(200);
      expect(await newest(ann, bob)).toMatchObject({ text, media: { sha256: media?.['sha256'] } });
    }
  });

  it('[MX2.1] a post of a channel of its own', async () => {
    const id = await write(ann, daily, { text: newText() });
    const text = newText();
    expect((await request('PATCH', '/message', { channel: 'daily', messageId: String(id), text })).status).toBe(200);
    expect(await message(daily, id)).toMatchObject({ text });
  });

  it('[MX2.1] what Telegram refuses is the answer', async () => {
    const own = await write(ann, bob, { text: 'mine' });
    const theirs = await write(bob, ann, { text: 'yours' });
    const edit = (id: number, text: string): Promise<unknown> =>
      request('PATCH', '/message', { user: bob, messageId: String(id), text });
    const because = (error: string): object => refused(500, `${error} (caused by messages.EditMessage)`);
    expect(await edit(theirs, 'ours')).toMatchObject(because('403: MESSAGE_AUTHOR_REQUIRED'));
    expect(await edit(2_000_000_000, 'ours')).toMatchObject(because('400: MESSAGE_ID_INVALID'));
    expect(await edit(own, '')).toMatchObject(because('400: MESSAGE_EMPTY'));
    expect(await edit(own, 'x'.repeat(4_097))).toMatchObject(because('400: MESSAGE_TOO_LONG'));
    expect(await edit(own, ' mine ')).toMatchObject(because('400: MESSAGE_NOT_MODIFIED'));
    await control('POST', '/clock', { advanceMs: 49 * 3_600_000 });
    expect(await edit(own, 'late')).toMatchObject(because('400: MESSAGE_EDIT_TIME_EXPIRED'));
  });
});

describe('DELETE /message', () => {
  it.each([false, true])('[MX2.2] in a private chat, for everyone: %s', async (forEveryone) => {
    const texts = [newText(), newText()];
    const ids: number[] = [];
    for (const text of texts) ids.push(await write(ann, bob, { text }));
    const query = `user=${bob}&messageIds=${ids.join(',')}${forEveryone ? '&forEveryone=true' : ''}`;
    expect(await request('DELETE', `/message?${query}`)).toMatchObject({ status: 200, body: { id: acting.caller.id } });
    for (const id of ids) expect(await message(bob, id)).toBeUndefined();
    const left = (await seen(ann, bob)).filter(({ text }) => texts.includes(text));
    expect(left).toHaveLength(forEveryone ? 0 : 2);
  });

  it('[MX2.2] in a supergroup always for all, those of others where the account may', async () => {
    const id = await write(ann, makers, { text: newText() });
    const again = await write(ann, makers, { text: newText() });
    const query = `group=makers&messageIds=${id}&messageIds=${again}`;
    expect((await request('DELETE', `/message?${query}`)).status).toBe(200);
    expect(await message(makers, id, bob)).toBeUndefined();
    expect(await message(makers, again, bob)).toBeUndefined();
    await control('PUT', `/chats/${makers}/members/${ann}`, { role: 'member' });
    const theirs = await write(bob, makers, { text: newText() });
    const denied = '403: MESSAGE_DELETE_FORBIDDEN (caused by channels.DeleteMessages)';
    expect(await request('DELETE', `/message?group=${makers}&messageIds=${theirs}`)).toMatchObject(
      refused(500, denied),
    );
  });

  it('[MX2.2] never those of another chat, although they share their numbers', async () => {
    const withBob = await write(ann, bob, { text: 'stays' });
    const inFamily = await write(ann, family, { text: 'stays too' });
    const withCara = await write(ann, '1003', { text: 'goes' });
    const ids = [withBob, inFamily, withCara, 2_000_000_000].join(',');
    expect((await request('DELETE', `/message?user=1003&messageIds=${ids}`)).status).toBe(200);
    expect(await message(bob, withBob)).toMatchObject({ text: 'stays' });
    expect(await message(family, inFamily)).toMatchObject({ text: 'stays too' });
    expect(await message('1003', withCara)).toBeUndefined();
  });

  it('[MX2.5] what is gone already is no error, and asks for no deletion', async () => {
    const id = await write(ann, bob, { text: newText() });
    const path = `/message?username=bob&messageIds=${id}`;
    expect((await request('DELETE', path)).status).toBe(200);
    const before = await calls('messages.deleteMessages');
    expect((await request('DELETE', path)).status).toBe(200);
    expect(await calls('messages.deleteMessages')).toBe(before);
  });
});

describe('POST /message/reaction', () => {
  it.each(Object.entries(chats))('[MX2.3] in %s: one, another one, none', async (_name, chat) => {
    const id = await write(bob, peerOf(chat) === bob ? ann : peerOf(chat), { text: newText() });
    const react = (emoji: string): Promise<{ status: number }> =>
      request('POST', '/message/reaction', { ...chat, messageId: String(id), emoji });
    const reactions = async (): Promise<object[]> => (await newest(atBob(chat), bob)).reactions;
    // A heart as keyboards write it.
    for (const [emoji, reaction] of [
      ['👍', '👍'],
      ['❤️', '❤'],
    ] as const) {
      expect((await react(emoji)).status).toBe(200);
      expect(await reactions()).toEqual([{ reaction, count: 1, own: false }]);
      // [MX2.5] Once more changes nothing.
      expect((await react(emoji)).status).toBe(200);
    }
    for (let time = 0; time < 2; time++) {
      expect((await react('')).status).toBe(200);
      expect(await reactions()).toEqual([]);
    }
  });

  it('[MX2.3] what is no reaction, or of no message, is Telegram’s error', async () => {
    const id = await write(bob, ann, { text: newText() });
    const react = (messageId: number, emoji: string): Promise<unknown> =>
      request('POST', '/message/reaction', { user: bob, messageId: String(messageId), emoji });
    const because = (error: string): object => refused(500, `${error} (caused by messages.SendReaction)`);
    expect(await react(id, 'no emoji')).toMatchObject(because('400: REACTION_INVALID'));
    expect(await react(2_000_000_000, '👍')).toMatchObject(because('400: MESSAGE_ID_INVALID'));
  });
});

describe('/message/pin', () => {
  it('[MX2.4] [MX2.5] pins for both sides and unpins, as often as it is asked for', async () => {
    const id = await write(bob, ann, { text: newText() });
    const isPinned = async (): Promise<unknown> =>
      (await seen(ann, bob, 5)).some((one) => 'pinned' in one && one.pinned === true);
    for (let time = 0; time < 2; time++) {
      const pinned = await request('POST', '/message/pin', { user: bob, messageId: String(id) });
      expect(pinned).toMatchObject({ status: 200, body: { id: acting.caller.id } });
      expect(await isPinned()).toBe(true);
    }
    expect(await newest(bob)).toMatchObject({ service: 'messageActionPinMessage' });
    for (let time = 0; time < 2; time++) {
      expect((await request('DELETE', `/message/pin?user=${bob}&messageId=${id}`)).status).toBe(200);
      expect(await isPinned()).toBe(false);
    }
  });

  it('[MX2.4] without the right it is Telegram’s error', async () => {
    const id = await write(bob, '-1003004', { text: newText() });
    await control('PUT', `/chats/-1003004/members/${ann}`, { role: 'member' });
    const denied = '400: CHAT_ADMIN_REQUIRED (caused by messages.UpdatePinnedMessage)';
    const pin = await request('POST', '/message/pin', { group: '-1003004', messageId: String(id) });
    expect(pin).toMatchObject(refused(500, denied));
  });
});

describe('all of them', () => {
  const paths = [
    ['PATCH', '/message'],
    ['DELETE', '/message'],
    ['POST', '/message/reaction'],
    ['POST', '/message/pin'],
    ['DELETE', '/message/pin'],
  ] as const;
  const ask = (method: string, path: string, fields: Record<string, string>): Promise<unknown> =>
    method === 'DELETE'
      ? request(method, `${path}?${new URLSearchParams(fields).toString()}`)
      : request(method, path, fields);
  const whole = { messageId: '1', messageIds: '1', text: 'x', emoji: '👍' };

  it.each(paths)('[MX2.8] %s %s: chats that are none', async (method, path) => {
    for (const user of ['777000', '42777', '999999']) {
      expect(await ask(method, path, { ...whole, user })).toMatchObject(refused(400, 'chat not found'));
    }
    expect(await ask(method, path, { ...whole, group: '-1004001' })).toMatchObject(refused(400, 'group not found'));
    const none = 'invalid phone, username, user, group or channel';
    expect(await ask(method, path, whole)).toMatchObject(refused(400, none));
  });

  it.each([
    ['PATCH', '/message', { user: bob }, 'messageId should not be empty\ntext should not be empty'],
    ['PATCH', '/message', { user: bob, messageId: 'x', text: '' }, 'messageId must be a message ID'],
    ['POST', '/message/reaction', { user: bob, messageId: '1' }, 'emoji should not be empty'],
    ['POST', '/message/pin', { user: bob, messageId: '99999999999' }, 'messageId must be a message ID'],
    ['DELETE', '/message', { user: bob }, 'messageIds must be a string\nmessageIds should not be empty'],
    ['DELETE', '/message', { user: bob, messageIds: '1,x' }, 'messageIds.1 must be a message ID'],
    ['DELETE', '/message', { user: bob, messageIds: '1', forEveryone: 'yes' }, 'forEveryone must be one of'],
    ['DELETE', '/message/pin', { user: bob }, 'messageId must be a string\nmessageId should not be empty'],
  ])('[ER2.2] %s %s %j', async (method, path, fields, error) => {
    const found = await ask(method, path, fields);
    expect(found).toMatchObject({ status: 400, body: { message: expect.stringContaining(error) } });
  });
});
