import type { TelegramClient } from '@mtcute/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { type GramJsClient, loggedInGramJs } from '../../../support/sandbox/gramjs-login.ts';
import { Api } from '../../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

let sandbox: Sandbox;
let defects: string[];
let ann: GramJsClient;
let cara: TelegramClient;
beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox());
  ann = await loggedInGramJs(sandbox, 1001);
  cara = await mtcuteClient(sandbox.protocol);
  await cara.signInQr({ onUrlUpdated: (link) => void control(sandbox, 'POST', '/qr/scan', { link, userId: 1003 }) });
});
afterAll(async () => {
  await ann.destroy();
  await cara.destroy();
  await sandbox.close();
  if (defects.length > 0) throw new Error(defects.join('\n'));
});

async function newForum(title: string) {
  const made = await ann.invoke(new Api.channels.CreateChannel({ forum: true, title, about: 'of wood' }));
  if (!(made instanceof Api.Updates)) throw new Error(made.className);
  const [channel] = made.chats;
  if (!(channel instanceof Api.Channel)) throw new Error('no channel');
  return channel;
}

async function joinedByCara(channel: InstanceType<typeof Api.Channel>) {
  const invite = await ann.invoke(new Api.messages.ExportChatInvite({ peer: channel, usageLimit: 1 }));
  if (!(invite instanceof Api.ChatInviteExported)) throw new Error(invite.className);
  const joined = await cara.joinChat(invite.link);
  if (joined.status !== 'ok') throw new Error(joined.status);
  return joined.chat;
}

describe('a supergroup that GramJS makes', () => {
  it('is joined by mtcute with a link, which becomes an administrator there', async () => {
    const channel = await newForum('Boats');
    const chat = await joinedByCara(channel);
    expect(chat).toMatchObject({ title: 'Boats', isForum: true });
    const member = (await ann.getParticipants(channel, {})).find(({ id }) => id.equals(1003));
    const adminRights = new Api.ChatAdminRights({ manageTopics: true, inviteUsers: true });
    await ann.invoke(new Api.channels.EditAdmin({ channel, userId: member, adminRights, rank: 'Mate' }));
    const own = await cara.getChatMember({ chatId: chat.inputPeer, userId: 'me' });
    expect(own).toMatchObject({ status: 'admin', title: 'Mate' });
  });

  it('has topics that both write in', async () => {
    const channel = await newForum('Harbour');
    const chat = await joinedByCara(channel);
    const topic = await cara.createForumTopic({ chatId: chat.inputPeer, title: 'Cranes' });
    const sent = await ann.sendMessage(channel, { message: 'two of them', replyTo: topic.id });
    expect(sent.replyTo).toMatchObject({ forumTopic: true, replyToMsgId: topic.id });
    const topics = await cara.getForumTopics(chat.inputPeer);
    expect(topics.map(({ title, unreadCount }) => [title, unreadCount])).toEqual([
      ['Cranes', 1],
      ['General', expect.any(Number)],
    ]);
  });
});
