import { describe, expect, it } from 'vitest';
import { useActing } from '../../../support/e2e/acting.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { refused } from '../../../support/e2e/writing-scene.ts';
import type { Answer } from '../../../support/gateway/gateway.ts';

/** `POST /message/forward`, as the receiver sees it. */

const acting = useActing();
const { arrivals, calls, control, fault, keyed, newText, request, seen, write } = acting;

const method = 'messages.forwardMessages';
const makers = '-1003001';
const forward = (body: object): Promise<Answer<{ messageIds: string[] }>> => request('POST', '/message/forward', body);
/** Messages of Bob in Makers. */
const bobWrites = async (texts: readonly string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const text of texts) ids.push(String(await write(bob, makers, { text })));
  return ids;
};
/** What Bob sees of these texts in his chat with Ann, the oldest first. */
const atBob = async (texts: readonly string[]): Promise<{ text: string; forwarded: string | null }[]> =>
  (await seen(ann, bob))
    .filter(({ text }) => texts.includes(text))
    .toReversed()
    .map((message) => ({
      text: message.text,
      forwarded: (message as { forwarded?: string | null }).forwarded ?? null,
    }));

/** Its administrators protect what is in Makers, or no longer. */
const protect = (noForwards: boolean): void => {
  const { chats } = acting.scene.telegram.world.tables;
  const chat = chats.get('channel:3001');
  if (chat !== undefined) chats.put({ ...chat, noForwards });
};

describe('POST /message/forward', () => {
  it('[MX2.9] in the given order, with their origin, and tells their IDs', async () => {
    const texts = [newText(), newText(), newText()];
    const messageIds = (await bobWrites(texts)).toReversed();
    const { status, body } = await forward({ from: { group: makers }, messageIds, user: bob });
    expect(status).toBe(200);
    const expected = texts.toReversed().map((text) => ({ text, forwarded: 'Bob Stone' }));
    expect(await atBob(texts)).toEqual(expected);
    const mine = (await seen(bob, ann)).filter(({ text }) => texts.includes(text)).toReversed();
    expect(mine.map(({ id }) => String(id))).toEqual(body.messageIds);
  });

  it('[MX2.9] as copies', async () => {
    const texts = [newText()];
    const messageIds = await bobWrites(texts);
    expect((await forward({ from: { group: 'makers' }, messageIds, username: 'bob', dropAuthor: true })).status).toBe(
      200,
    );
    expect(await atBob(texts)).toEqual([{ text: texts[0], forwarded: null }]);
  });

  it('[MX2.9] a file, byte for byte, from a private chat to a group', async () => {
    const id = await write(bob, ann, { media: { kind: 'voice' } });
    const [original] = await seen(bob, ann, 1);
    const answer = await forward({ from: { user: bob }, messageIds: [String(id)], group: '-2001' });
    expect(answer.status).toBe(200);
    const [forwarded] = await seen('-2001', bob, 1);
    expect(forwarded?.media).toMatchObject({ sha256: original?.media?.['sha256'] });
  });

  it('[MX2.9] all or none: not what the chat does not have, nor what another chat has', async () => {
    const texts = [newText()];
    const [there] = await bobWrites(texts);
    const withCara = String(await write('1003', ann, { text: newText() }));
    const before = await calls(method);
    const missing = refused(400, 'message not found');
    const ask = (from: object, messageIds: unknown[]): Promise<unknown> => forward({ from, messageIds, user: bob });
    expect(await ask({ group: makers }, [there, '2000000000'])).toMatchObject(missing);
    expect(await ask({ user: bob }, [withCara])).toMatchObject(missing);
    expect(await calls(method)).toBe(before);
    expect(await atBob(texts)).toEqual([]);
  });

  it('[MX2.9] what Telegram refuses is its error', async () => {
    const messageIds = await bobWrites([newText()]);
    protect(true);
    const denied = '400: CHAT_FORWARDS_RESTRICTED (caused by messages.ForwardMessages)';
    expect(await forward({ from: { group: makers }, messageIds, user: bob })).toMatchObject(refused(500, denied));
    protect(false);
  });

  it.each([
    [{}, 'from should not be empty\nmessageIds should not be empty'],
    [{ from: {}, messageIds: ['1'] }, 'invalid from.phone, from.username, from.user, from.group or from.channel'],
    [{ from: { user: 5 }, messageIds: ['1', 'x'] }, 'from.user must be a string\nmessageIds.1 must be a message ID'],
    [{ from: { user: bob }, messageIds: Array(101).fill('1') }, 'messageIds must have between 1 and 100 entries'],
    [{ from: { user: '777000' }, messageIds: ['1'] }, 'chat not found'],
  ])('[ER2.2] [MX2.8] refuses %j', async (body, message) => {
    expect(await forward({ user: bob, ...body })).toMatchObject(refused(400, message));
  });

  it('[MX2.8] not to Telegram’s own accounts', async () => {
    const body = { from: { user: bob }, messageIds: ['1'], user: '777000' };
    expect(await forward(body)).toMatchObject(refused(400, 'chat not found'));
  });
});

describe('a forward whose answer is lost', () => {
  it('[MX2.9] is made once', async () => {
    const texts = [newText(), newText()];
    const messageIds = await bobWrites(texts);
    await fault({ method, dropAnswer: true, times: 1 });
    const answer = await acting.scene.whilePassing(forward({ from: { group: makers }, messageIds, user: bob }));
    expect(answer.status).toBe(200);
    expect((await atBob(texts)).map(({ text }) => text)).toEqual(texts);
  });

  it('[MX2.9] under a key is made once over a crash, although the originals are gone', async () => {
    const texts = [newText(), newText()];
    const messageIds = await bobWrites(texts);
    const body = { from: { group: makers }, messageIds, user: bob };
    await fault({ method, dropAnswer: true });
    const before = await calls(method);
    const lost = keyed('forward', 'POST', '/message/forward', body).catch(() => undefined);
    await arrivals(method, before);
    await acting.scene.restart();
    await lost;
    await control('DELETE', '/faults');
    for (const id of messageIds) await control('DELETE', `/accounts/${bob}/messages/${makers}/${id}`);
    await acting.scene.whilePassing(acting.scene.read(acting.caller, (session) => session.isConnected));
    const again = await keyed('forward', 'POST', '/message/forward', body);
    const mine = (await seen(bob, ann)).filter(({ text }) => texts.includes(text)).toReversed();
    expect(again).toMatchObject({ status: 200, body: { messageIds: mine.map(({ id }) => String(id)) } });
    expect((await atBob(texts)).map(({ text }) => text)).toEqual(texts);
    const other = await keyed('forward', 'POST', '/message/forward', { ...body, dropAuthor: true });
    expect(other).toMatchObject(refused(400, 'idempotency key was used with another body'));
  });
});
