import { beforeEach, describe, expect, it } from 'vitest';
import { carryOutDue } from '../../../../sandbox/api/push/carry-out-due.ts';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import { annId, type MessageScene, openMessageScene, refusedWith } from '../../../support/sandbox/message-scene.ts';

const botId = 1004;
let scene: MessageScene;
beforeEach(async () => {
  scene = await openMessageScene();
});

const toBot = () => scene.user(scene.ann, botId);
async function buttons(): Promise<TlObject> {
  await scene.send(scene.ann, toBot(), '/buttons');
  return (await scene.history(scene.ann, toBot(), 1))[0] as TlObject;
}
const press = (msg_id: number, data: string) =>
  scene.call(scene.ann, 'messages.getBotCallbackAnswer', { peer: toBot(), msg_id, data: Buffer.from(data) });

describe('@helperbot', () => {
  it('[SM9.1] has buttons that alert, say something and open links', async () => {
    const { id, reply_markup } = await buttons();
    const names = reply_markup.rows.flatMap(({ buttons: row }: TlObject) => row.map(({ _: name }: TlObject) => name));
    expect(names).toContain('keyboardButtonUrl');
    expect(await press(id, 'alert')).toMatchObject({ alert: true, message: 'This is an alert.', url: undefined });
    expect(await press(id, 'text')).toMatchObject({ alert: false, message: 'This is a notice.', cache_time: 60 });
    expect(await press(id, 'link')).toMatchObject({ has_url: true, url: 'https://example.com/pressed' });
    await expect(press(id, 'unknown')).rejects.toMatchObject(refusedWith('DATA_INVALID'));
    await expect(press(99_999, 'alert')).rejects.toMatchObject(refusedWith('MESSAGE_ID_INVALID'));
  });

  it('[SM9.1] has a keyboard that is shown and hidden', async () => {
    const markups = [];
    for (const command of ['/keyboard', '/hide']) {
      await scene.send(scene.ann, toBot(), command);
      markups.push((await scene.history(scene.ann, toBot(), 1))[0]?.['reply_markup']);
    }
    expect(markups).toMatchObject([{ _: 'replyKeyboardMarkup' }, { _: 'replyKeyboardHide' }]);
  });

  it('[SM9.2] is waited for ten seconds', async () => {
    const { id } = await buttons();
    const pressed = press(id, 'silence').catch((error: unknown) => error);
    await Promise.resolve();
    scene.clock.time += 9_999;
    carryOutDue(scene.world);
    expect(await Promise.race([pressed, Promise.resolve('waits')])).toBe('waits');
    scene.clock.time += 1;
    carryOutDue(scene.world);
    expect(await pressed).toMatchObject(refusedWith('BOT_RESPONSE_TIMEOUT'));
  });

  it('[SM9.2] is played by a client that is logged in as the bot', async () => {
    const bot = await scene.logIn(botId);
    scene.pushed.length = 0;
    const markup = {
      _: 'replyInlineMarkup',
      rows: [
        {
          _: 'keyboardButtonRow',
          buttons: [{ _: 'keyboardButtonCallback', text: 'Go', data: Buffer.from('go') }],
        },
      ],
    };
    await scene.send(bot, scene.user(bot, annId), 'Shall we?', { reply_markup: markup });
    const [message] = await scene.history(scene.ann, toBot(), 1);
    scene.pushed.length = 0;
    const pressed = press(message?.['id'], 'go');
    const [query] = scene.pushedTo(bot);
    expect(query).toMatchObject({ _: 'updateBotCallbackQuery', user_id: 1001n, data: Buffer.from('go') });
    const answer = { query_id: query?.['query_id'], message: 'Gone.', cache_time: 5 };
    await scene.call(bot, 'messages.setBotCallbackAnswer', answer);
    expect(await pressed).toMatchObject({ message: 'Gone.', cache_time: 5 });
    const again = scene.call(bot, 'messages.setBotCallbackAnswer', answer);
    await expect(again).rejects.toMatchObject(refusedWith('QUERY_ID_INVALID'));
    const byUser = scene.call(scene.ann, 'messages.setBotCallbackAnswer', answer);
    await expect(byUser).rejects.toMatchObject(refusedWith('USER_BOT_REQUIRED'));
  });
});

describe('a bot', () => {
  it('[SM9.4] names whom it has met without their access hash', async () => {
    const bot = await scene.logIn(botId);
    const asked = (user_id: bigint) => [{ _: 'inputUser', user_id, access_hash: 0n }];
    const named = (viewer: typeof bot, id: bigint) => scene.call(viewer, 'users.getUsers', { id: asked(id) });
    expect(await named(bot, 1001n)).toMatchObject([{ _: 'user', id: 1001n }]);
    expect(await named(bot, 1005n)).toMatchObject([{ _: 'userEmpty' }]);
    expect(await named(scene.ann, 1003n)).toMatchObject([{ _: 'userEmpty' }]);
    const channel = (channel_id: bigint) => ({ id: [{ _: 'inputChannel', channel_id, access_hash: 0n }] });
    const { chats } = await scene.call(bot, 'channels.getChannels', channel(3001n));
    expect(chats).toMatchObject([{ _: 'channel', id: 3001n }]);
    for (const [viewer, id] of [[bot, 3002n] as const, [scene.ann, 3001n] as const]) {
      const asking = scene.call(viewer, 'channels.getChannels', channel(id));
      await expect(asking).rejects.toMatchObject(refusedWith('CHANNEL_INVALID'));
    }
  });

  it.each([
    'messages.getDialogs',
    'messages.getHistory',
    'messages.search',
    'contacts.getContacts',
    'messages.sendVote',
  ])('[SM9.3] may not call %s', async (method) => {
    const bot = await scene.logIn(botId);
    await expect(scene.call(bot, method)).rejects.toMatchObject(refusedWith('BOT_METHOD_INVALID'));
  });

  it('[SM9.3] may not schedule messages, nor send buttons that cannot be', async () => {
    const bot = await scene.logIn(botId);
    const peer = scene.user(bot, annId);
    const button = (more: object) => ({
      reply_markup: {
        _: 'replyInlineMarkup',
        rows: [{ _: 'keyboardButtonRow', buttons: [{ _: 'keyboardButtonUrl', text: 'Go', ...more }] }],
      },
    });
    const refusals = [
      ['SCHEDULE_BOT_NOT_ALLOWED', { schedule_date: scene.world.now() + 60 }],
      ['BUTTON_URL_INVALID', button({ url: 'nowhere' })],
      ['BUTTON_DATA_INVALID', button({ _: 'keyboardButtonCallback', data: Buffer.alloc(65) })],
      ['REPLY_MARKUP_INVALID', { reply_markup: { _: 'replyInlineMarkup', rows: [] } }],
    ] as const;
    for (const [text, more] of refusals) {
      await expect(scene.send(bot, peer, 'x', more)).rejects.toMatchObject(refusedWith(text));
    }
  });
});
