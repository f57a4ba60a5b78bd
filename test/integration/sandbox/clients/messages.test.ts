import type { TelegramClient } from '@mtcute/node';
import bigInt from 'big-integer';
import sharp from 'sharp';
import uploads from 'telegram/client/uploads.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { type GramJsClient, loggedInGramJs } from '../../../support/sandbox/gramjs-login.ts';
import { Api } from '../../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

const jpeg = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#36c' } })
  .jpeg()
  .toBuffer();

let sandbox: Sandbox;
let defects: string[];
let ann: GramJsClient;
let cara: TelegramClient;
beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox());
  ann = await loggedInGramJs(sandbox, 1001);
  cara = await mtcuteClient(sandbox.protocol);
  await cara.signInQr({
    onUrlUpdated: (link) => void control(sandbox, 'POST', '/qr/scan', { link, userId: 1003 }),
  });
});
afterAll(async () => {
  await Promise.all([ann.destroy(), cara.destroy()]);
  await sandbox.close();
  if (defects.length > 0) throw new Error(defects.join('\n'));
});

const photo = (name: string) => new uploads.CustomFile(name, jpeg.length, '', jpeg);

it('[SM10.1] albums are sent by GramJS and forwarded by mtcute', async () => {
  await ann.getDialogs({});
  await ann.sendFile('makers', { file: [photo('a.jpg'), photo('b.jpg')], caption: ['first', 'second'] });
  const album = (await cara.getHistory('makers', { limit: 2 })).toReversed();
  expect(album.map(({ text }) => text)).toEqual(['first', 'second']);
  expect(new Set(album.map(({ groupedId }) => String(groupedId))).size).toBe(1);
  const copies = await cara.forwardMessages({ toChatId: 'me', messages: album });
  expect(copies.map(({ forward }) => forward?.sender.displayName)).toEqual(['Ann Lee', 'Ann Lee']);
  expect(copies[0]?.groupedId).toBeTruthy();
  expect(String(copies[0]?.groupedId)).not.toBe(String(album[0]?.groupedId));
});

it('[SM10.1] reactions, pins and votes of one client are read by the other', async () => {
  await ann.getDialogs({});
  const poll = new Api.InputMediaPoll({
    poll: new Api.Poll({
      id: bigInt(0),
      question: new Api.TextWithEntities({ text: 'Tea?', entities: [] }),
      answers: ['Yes', 'No'].map(
        (text, index) =>
          new Api.PollAnswer({
            text: new Api.TextWithEntities({ text, entities: [] }),
            option: Buffer.from(String(index)),
          }),
      ),
    }),
  });
  await ann.invoke(new Api.messages.SendMedia({ peer: 'makers', media: poll, message: '' }));
  const [message] = await cara.getHistory('makers', { limit: 1 });
  if (!message) throw new Error('no poll');
  await cara.sendReaction({ message, emoji: '🔥' });
  const voted = await cara.sendVote({ message, options: [1] });
  expect(voted.answers.map(({ voters }) => voters)).toEqual([0, 1]);
  const [own] = await ann.getMessages('makers', { ids: [message.id] });
  expect(own?.reactions?.results).toMatchObject([{ reaction: { emoticon: '🔥' }, count: 1 }]);
  expect(own?.poll?.results.totalVoters).toBe(1);
  const note = await ann.sendMessage('me', { message: 'note' });
  await ann.pinMessage('me', note.id);
  const pinned = await ann.getMessages('me', { filter: new Api.InputMessagesFilterPinned() });
  expect(pinned[0]?.id).toBe(note.id);
});

it('[SM10.1] scheduled messages of mtcute leave, and buttons are pressed', async () => {
  const later = new Date(Date.now() + 3_600_000);
  const waiting = await cara.sendText('me', 'later', { schedule: later });
  expect(waiting.isScheduled).toBe(true);
  expect((await cara.getScheduledMessages('me', [waiting.id]))[0]?.text).toBe('later');
  await control(sandbox, 'POST', '/clock', { advanceMs: 3_601_000 });
  expect((await cara.getHistory('me', { limit: 1 }))[0]?.text).toBe('later');
  await cara.sendText('helperbot', '/buttons');
  const [message] = await cara.getHistory('helperbot', { limit: 1 });
  if (!message) throw new Error('no buttons');
  const answer = await cara.getCallbackAnswer({ chatId: 'helperbot', message: message.id, data: 'alert' });
  expect(answer).toMatchObject({ alert: true, message: 'This is an alert.' });
});
