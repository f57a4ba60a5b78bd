import { beforeAll, describe, expect, it } from 'vitest';
import { useActing } from '../../../support/e2e/acting.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { refused } from '../../../support/e2e/writing-scene.ts';

/** `POST /message/button`: the buttons of @helperbot. */

const acting = useActing();
const { arrivals, calls, control, fault, keyed, newest, request, write } = acting;

const method = 'messages.getBotCallbackAnswer';
const bot = '1004';
/** The message with the bot's buttons, as Ann sees it. */
let messageId: string;
beforeAll(async () => {
  messageId = await freshButtons();
});
/** The bot shows its buttons once more. */
async function freshButtons(): Promise<string> {
  await control('POST', `/accounts/${ann}/messages`, { peer: bot, text: '/buttons' });
  return String((await newest(bot)).id);
}
const at = (row: number, column: number): object => ({ user: bot, messageId, row, column });
const press = (row: number, column: number): ReturnType<typeof request> =>
  request('POST', '/message/button', at(row, column));
const answered = (body: object): object => ({ status: 200, body: { text: '', url: '', alert: false, ...body } });
const unknown = refused(500, 'it is not known whether the button was pressed');
/** Puts a button of another kind in the first place. */
const replaceFirst = (button: object): void => {
  const { messages } = acting.scene.telegram.world.tables;
  for (const row of messages.values()) {
    const rows = row.markup?.['rows'] as { buttons: object[] }[] | undefined;
    if (rows?.[0] !== undefined) rows[0].buttons[0] = button;
  }
};

describe('POST /message/button', () => {
  it.each([
    [0, 0, { text: 'This is an alert.', alert: true }],
    [0, 1, { text: 'This is a notice.' }],
    [1, 0, { url: 'https://example.com/pressed' }],
  ])('[MX4.1] row %i, column %i: what the bot says', async (row, column, body) => {
    expect(await press(row, column)).toEqual(expect.objectContaining(answered(body)));
  });

  it('[MX4.1] one with a URL is its URL, and the bot is not asked', async () => {
    const before = await calls(method);
    expect(await press(2, 0)).toEqual(expect.objectContaining(answered({ url: 'https://example.com/' })));
    expect(await calls(method)).toBe(before);
  });

  it('[MX4.1] nothing, if the bot does not answer in time', async () => {
    const before = await calls(method);
    const pressed = press(1, 1);
    await arrivals(method, before);
    await control('POST', '/clock', { advanceMs: 11_000 });
    expect(await pressed).toEqual(expect.objectContaining(answered({})));
  });

  it.each([
    [3, 0],
    [0, 2],
  ])('[MX4.1] no button in row %i, column %i', async (row, column) => {
    expect(await press(row, column)).toMatchObject(refused(400, 'button not found'));
  });

  it('[MX4.1] not of a message without inline buttons, nor of none', async () => {
    const plain = String(await write(bob, ann, { text: 'no buttons' }));
    const ask = (user: string, id: string): Promise<unknown> =>
      request('POST', '/message/button', { user, messageId: id, row: 0, column: 0 });
    expect(await ask(bob, plain)).toMatchObject(refused(400, 'button not found'));
    expect(await ask(bob, messageId)).toMatchObject(refused(400, 'message not found'));
    expect(await ask(bot, '2000000000')).toMatchObject(refused(400, 'message not found'));
    expect(await ask('777000', '1')).toMatchObject(refused(400, 'chat not found'));
    await control('POST', `/accounts/${ann}/messages`, { peer: bot, text: '/keyboard' });
    expect(await ask(bot, String((await newest(bot)).id))).toMatchObject(refused(400, 'button not found'));
  });

  it.each([
    ['a password', { _: 'keyboardButtonCallback', requires_password: true, data: Buffer.from('alert') }],
    ['a login', { _: 'keyboardButtonUrlAuth', url: 'https://example.com/', button_id: 1 }],
    ['a payment', { _: 'keyboardButtonBuy' }],
    ['a web app', { _: 'keyboardButtonWebView', url: 'https://example.com/' }],
    ['a chat', { _: 'keyboardButtonSwitchInline', query: 'x' }],
  ])('[MX4.1] one that wants %s is not supported', async (_name, button) => {
    messageId = await freshButtons();
    const before = await calls(method);
    replaceFirst({ text: 'More', ...button });
    expect(await press(0, 0)).toMatchObject(refused(400, 'button is not supported'));
    expect(await calls(method)).toBe(before);
    replaceFirst({ _: 'keyboardButtonCallback', text: 'Alert', data: Buffer.from('alert') });
  });

  it('[ER2.2] refuses places that are none', async () => {
    const body = { user: bot, messageId, row: -1, column: 'x' };
    const lines = 'row must be between 0 and 99\ncolumn must be a number';
    expect(await request('POST', '/message/button', body)).toMatchObject(refused(400, lines));
  });
});

describe('a press whose answer is lost', () => {
  it('[MX4.2] is not repeated', async () => {
    const before = await calls(method);
    await fault({ method, dropAnswer: true, times: 1 });
    expect(await acting.scene.whilePassing(press(0, 1))).toMatchObject(unknown);
    expect(await calls(method)).toBe(before + 1);
  });

  it('[MX4.2] is not repeated under its key either, after a crash', async () => {
    const before = await calls(method);
    await fault({ method, dropAnswer: true });
    const lost = keyed('press', 'POST', '/message/button', at(0, 0)).catch(() => undefined);
    await arrivals(method, before);
    await acting.scene.restart();
    await lost;
    await control('DELETE', '/faults');
    await acting.scene.whilePassing(acting.scene.read(acting.caller, (session) => session.isConnected));
    expect(await keyed('press', 'POST', '/message/button', at(0, 0))).toMatchObject(unknown);
    expect(await calls(method)).toBe(before + 1);
  });
});

it('[MX4.2] an answer under a key is kept, and the button is pressed once', async () => {
  const before = await calls(method);
  for (let time = 0; time < 3; time++) {
    const pressed = await keyed('kept', 'POST', '/message/button', at(0, 0));
    expect(pressed).toMatchObject(answered({ text: 'This is an alert.', alert: true }));
  }
  expect(await calls(method)).toBe(before + 1);
});
