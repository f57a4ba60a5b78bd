import { describe, expect, it } from 'vitest';
import { useActing } from '../../../support/e2e/acting.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { refused } from '../../../support/e2e/writing-scene.ts';

/** Edits under an `Idempotency-Key`, and edits whose answers are lost. */

const acting = useActing();
const { arrivals, calls, control, fault, keyed, message, newText, request, write } = acting;

const method = 'messages.editMessage';
const edit = (key: string, messageId: number, text: string): ReturnType<typeof keyed> =>
  keyed(key, 'PATCH', '/message', { user: bob, messageId: String(messageId), text });
const editAtPhone = (id: number, text: string): Promise<unknown> =>
  control('PATCH', `/accounts/${ann}/messages/${bob}/${id}`, { text });
/** Telegram makes the edit, its answer is lost, and so is the process. */
async function editThatCrashes(id: number, text: string): Promise<void> {
  await fault({ method, dropAnswer: true });
  const before = await calls(method);
  await crashDuring(edit(`crash ${text}`, id, text), before);
}
/** Starts the gateway again once Telegram has got the request. */
async function crashDuring(edited: Promise<unknown>, callsBefore: number): Promise<void> {
  const lost = edited.catch(() => undefined);
  await arrivals(method, callsBefore);
  await acting.scene.restart();
  await lost;
  await control('DELETE', '/faults');
  await acting.scene.whilePassing(acting.scene.read(acting.caller, (session) => session.isConnected));
}
/**
 * The sandbox dates edits by the machine's clock, and a connection learns how far the gateway's clock is from that. So
 * the gateway's clock, set forwards, makes an edit at the phone younger than a key's request, and set back, older.
 */
const minuteMs = 60_000;
const done = { status: 200, body: { id: expect.any(String) } };

describe('an edit under a key', () => {
  it('[MX2.6] is made once, and does not undo a later one', async () => {
    const id = await write(ann, bob, { text: newText() });
    expect(await edit('once', id, 'first')).toMatchObject(done);
    await editAtPhone(id, 'second');
    expect(await edit('once', id, 'first')).toMatchObject(done);
    expect(await message(bob, id)).toMatchObject({ text: 'second' });
    const other = 'idempotency key was used with another body';
    expect(await edit('once', id, 'third')).toMatchObject(refused(400, other));
  });

  it('[MX2.6] that Telegram made before a crash is no error', async () => {
    const id = await write(ann, bob, { text: newText() });
    await editThatCrashes(id, 'made');
    expect(await edit('crash made', id, 'made')).toMatchObject(done);
    expect(await message(bob, id)).toMatchObject({ text: 'made' });
  });

  it('[MX2.6] that Telegram made before a crash does not undo a later one', async () => {
    const id = await write(ann, bob, { text: newText() });
    await editThatCrashes(id, 'early');
    await editAtPhone(id, 'late');
    acting.scene.clock.setWallClockBy(minuteMs);
    expect(await edit('crash early', id, 'early')).toMatchObject(done);
    expect(await message(bob, id)).toMatchObject({ text: 'late' });
  });

  it('[MX2.6] that Telegram did not make before a crash is made after it', async () => {
    const id = await write(ann, bob, { text: newText() });
    await editAtPhone(id, 'before');
    await fault({ method, error: 'RPC_CALL_FAIL', code: 500 });
    const before = await calls(method);
    await crashDuring(edit('lost', id, 'wanted'), before);
    acting.scene.clock.setWallClockBy(-minuteMs);
    expect(await edit('lost', id, 'wanted')).toMatchObject(done);
    expect(await message(bob, id)).toMatchObject({ text: 'wanted' });
  });

  it('[MX2.6] that was refused may be tried again', async () => {
    const id = await write(ann, bob, { text: newText() });
    await fault({ method, error: 'CHAT_WRITE_FORBIDDEN', code: 403, times: 1 });
    const denied = '403: CHAT_WRITE_FORBIDDEN (caused by messages.EditMessage)';
    expect(await edit('again', id, 'later')).toMatchObject(refused(500, denied));
    expect(await edit('again', id, 'later')).toMatchObject(done);
    expect(await message(bob, id)).toMatchObject({ text: 'later' });
  });
});

describe('an edit whose answer is lost', () => {
  it('[MX2.6] is made, and is no error without a key either', async () => {
    const id = await write(ann, bob, { text: newText() });
    await fault({ method, dropAnswer: true, times: 1 });
    const edited = request('PATCH', '/message', { user: bob, messageId: String(id), text: 'made' });
    expect(await acting.scene.whilePassing(edited)).toMatchObject(done);
    expect(await message(bob, id)).toMatchObject({ text: 'made' });
  });
});
