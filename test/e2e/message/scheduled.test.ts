import { describe, expect, it } from 'vitest';
import { useActing } from '../../support/e2e/acting.ts';
import { bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `sendAt` of `POST /message`, and the queue of the chat. */

const acting = useActing();
const { calls, keyed, newText, request, seen, send, fault, timesSeen } = acting;

const hour = 3_600_000;
const inFuture = (ms: number): string =>
  new Date(Math.floor((acting.scene.clock.now() + ms) / 1000) * 1000).toISOString();
const queue = async (): Promise<Record<string, unknown>[]> =>
  (await request<{ docs: Record<string, unknown>[] }>('GET', `/message/scheduled?chatId=${bob}`)).body.docs;
const waiting = async (text: string): Promise<Record<string, unknown>[]> =>
  (await queue()).filter((message) => message['text'] === text);

describe('sendAt', () => {
  it('[MX1.15] [MX1.17] puts a message into the queue, and a deletion takes it out', async () => {
    const text = newText();
    const sendAt = inFuture(hour);
    const { status, body } = await send({ user: bob, text: `**${text}**`, parseMode: 'markdown', sendAt });
    expect({ status, body }).toEqual({ status: 200, body: { scheduledId: expect.any(String) } });
    expect(await waiting(text)).toMatchObject([{ id: body['scheduledId'], chatId: bob, fromMe: true, text, sendAt }]);
    expect(await timesSeen(text, bob)).toBe(0);
    const path = `/message/scheduled?chatId=${bob}&scheduledId=${String(body['scheduledId'])}`;
    expect(await request('DELETE', path)).toMatchObject({ status: 200, body: { id: acting.caller.id } });
    expect(await waiting(text)).toEqual([]);
    expect(await request('DELETE', path)).toMatchObject(refused(400, 'message not found'));
  });

  it('[MX1.15] of a location waits too', async () => {
    const location = { latitude: 52.516, longitude: 13.377 };
    const { body } = await send({ user: bob, type: 'location', location, sendAt: inFuture(hour) });
    expect((await queue()).find(({ id }) => id === body['scheduledId'])).toMatchObject({ type: 'location', location });
  });

  it('[MX1.15] within seconds is a normal send', async () => {
    const text = newText();
    const { body } = await send({ user: bob, text, sendAt: inFuture(5_000) });
    expect(body).toEqual({ messageId: expect.any(String) });
    expect((await seen(bob)).find(({ id }) => String(id) === body['messageId'])).toMatchObject({ text });
  });

  it('[MX1.15] under a key is put into the queue once', async () => {
    const text = newText();
    const body = { user: bob, type: 'text', text, sendAt: inFuture(2 * hour) };
    const before = await calls('messages.sendMessage');
    const first = await keyed(text, 'POST', '/message', body);
    expect(await keyed(text, 'POST', '/message', body)).toMatchObject({ status: 200, body: first.body });
    expect(await calls('messages.sendMessage')).toBe(before + 1);
    expect(await waiting(text)).toHaveLength(1);
  });

  it('[MX1.15] whose answer was lost is found in the queue', async () => {
    const message = { user: bob, text: newText(), sendAt: inFuture(3 * hour) };
    const { body } = await send(message);
    await fault({ error: 'RANDOM_ID_DUPLICATE', code: 500 });
    expect(await send(message)).toMatchObject({ status: 200, body });
  });

  it.each([
    ['2026-12-24T09:00:00', 'sendAt must be an ISO 8601 time with a zone'],
    ['tomorrow', 'sendAt must be an ISO 8601 time with a zone'],
    ['2026-13-24T09:00:00Z', 'sendAt must be an ISO 8601 time with a zone'],
    ['2020-01-01T00:00:00Z', 'sendAt must be in the future'],
    ['2199-01-01T00:00:00Z', 'sendAt must be within a year'],
  ])('[MX1.16] %s is refused', async (sendAt, message) => {
    const before = await calls('messages.sendMessage');
    expect(await send({ user: bob, text: newText(), sendAt })).toMatchObject(refused(400, message));
    expect(await calls('messages.sendMessage')).toBe(before);
  });

  it("[MX1.16] Telegram's own limit is its own error", async () => {
    await fault({ error: 'SCHEDULE_TOO_MUCH' });
    expect(await send({ user: bob, text: newText(), sendAt: inFuture(hour) })).toMatchObject(
      refused(500, '400: SCHEDULE_TOO_MUCH (caused by messages.SendMessage)'),
    );
  });
});
