import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../../sandbox/rpc.ts';
import { type ChatCalls, chatCalls, namesOf } from '../../../../support/sandbox/chat-calls.ts';
import { openWorldFixture, type WorldFixture } from '../../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: ChatCalls;
let cara: ChatCalls;
let id: number;
let lastRandomId = 0n;
beforeEach(async () => {
  fixture = await openWorldFixture();
  ann = chatCalls(fixture, 1001, await fixture.logIn(1001));
  cara = chatCalls(fixture, 1003, await fixture.logIn(1003));
  const { chats } = await ann.call('channels.createChannel', { forum: true, title: 'Boats', about: '' });
  id = Number(chats[0].id);
  await ann.call('channels.inviteToChannel', { channel: ann.channel(id), users: [ann.user(1003)] });
  cara.pushed();
});

const randomId = (): bigint => (lastRandomId += 1n);
async function openTopic(title: string): Promise<number> {
  const made = { channel: ann.channel(id), title, icon_color: 0xffd67e, random_id: randomId() };
  const { updates } = await ann.call('channels.createForumTopic', made);
  expect(namesOf(updates)).toEqual(['updateMessageID', 'messageActionTopicCreate']);
  return updates[0].id;
}
async function write(who: ChatCalls, message: string, reply?: object): Promise<TlObject> {
  const reply_to = reply && { _: 'inputReplyToMessage', ...reply };
  const sent = { peer: who.channelPeer(id), message, random_id: randomId(), reply_to };
  const { updates } = await who.call('messages.sendMessage', sent);
  return updates.find((update: TlObject) => update._ === 'updateNewChannelMessage').message;
}
const list = async (who: ChatCalls, params: object = {}): Promise<TlObject[]> => {
  const page = { channel: who.channel(id), offset_date: 0, offset_id: 0, offset_topic: 0, limit: 10, ...params };
  return (await who.call('channels.getForumTopics', page)).topics;
};

describe('a forum', () => {
  it('has General, and the topics that its members open', async () => {
    const { chats } = await cara.call('channels.getChannels', { id: [cara.channel(id)] });
    expect(chats[0]).toMatchObject({ megagroup: true, forum: true });
    const sails = await openTopic('Sails');
    expect(namesOf(cara.pushed())).toEqual(['messageActionTopicCreate']);
    expect(await list(cara)).toMatchObject([
      { id: sails, title: 'Sails', icon_color: 0xffd67e, my: false, unread_count: 1, top_message: sails },
      { id: 1, title: 'General' },
    ]);
    const empty = { channel: ann.channel(id), title: ' ', random_id: randomId() };
    expect(await ann.refused('channels.createForumTopic', empty)).toBe('400 TOPIC_TITLE_EMPTY');
    const makers = { ...empty, channel: ann.channel(3001), title: 'x' };
    expect(await ann.refused('channels.createForumTopic', makers)).toBe('400 CHANNEL_FORUM_MISSING');
  });

  it('places messages in a topic, and counts what is unread there', async () => {
    const sails = await openTopic('Sails');
    const first = await write(ann, 'Which cloth?', { reply_to_msg_id: sails });
    expect(first['reply_to']).toMatchObject({ forum_topic: true, reply_to_msg_id: sails });
    const answer = await write(cara, 'Cotton', { reply_to_msg_id: first['id'] });
    expect(answer['reply_to']).toMatchObject({
      forum_topic: true,
      reply_to_msg_id: first['id'],
      reply_to_top_id: sails,
    });
    const general = await write(ann, 'Good morning');
    expect(general['reply_to']).toBeUndefined();
    const page = { peer: cara.channelPeer(id), msg_id: sails, limit: 10 };
    const { messages } = await cara.call('messages.getReplies', page);
    expect(messages.map((row: TlObject) => row['message'])).toEqual(['Cotton', 'Which cloth?']);
    const [top, topic] = await list(cara);
    expect([top, topic]).toMatchObject([
      { id: 1, top_message: general['id'] },
      { id: sails, top_message: answer['id'], unread_count: 2 },
    ]);
    ann.pushed();
    const read = { peer: cara.channelPeer(id), msg_id: sails, read_max_id: answer['id'] };
    expect(await cara.call('messages.readDiscussion', read)).toBe(true);
    expect(namesOf(ann.pushed())).toEqual(['updateReadChannelDiscussionOutbox']);
    expect((await list(cara)).find((row) => row['id'] === sails)).toMatchObject({ unread_count: 0 });
    expect((await list(ann)).find((row) => row['id'] === sails)).toMatchObject({ read_outbox_max_id: first['id'] });
  });

  it('closes topics to all but those who may manage them', async () => {
    const sails = await openTopic('Sails');
    const edit = { channel: ann.channel(id), topic_id: sails };
    await ann.call('channels.editForumTopic', { ...edit, title: 'Sails and masts', closed: true });
    expect(await ann.refused('channels.editForumTopic', { ...edit, closed: true })).toBe('400 TOPIC_NOT_MODIFIED');
    expect(await cara.refused('channels.editForumTopic', { ...edit, channel: cara.channel(id), closed: false })).toBe(
      '403 CHAT_ADMIN_REQUIRED',
    );
    const reply_to = { _: 'inputReplyToMessage', reply_to_msg_id: sails };
    const text = { peer: cara.channelPeer(id), message: 'x', random_id: randomId(), reply_to };
    expect(await cara.refused('messages.sendMessage', text)).toBe('400 TOPIC_CLOSED');
    await write(ann, 'mine', { reply_to_msg_id: sails });
    const asked = { channel: cara.channel(id), topics: [sails, 1, 999] };
    expect((await cara.call('channels.getForumTopicsByID', asked)).topics).toMatchObject([
      { _: 'forumTopic', title: 'Sails and masts', closed: true },
      { _: 'forumTopic', title: 'General' },
      { _: 'forumTopicDeleted', id: 999 },
    ]);
  });

  it('shows pinned topics first, and deletes a topic with its messages', async () => {
    const sails = await openTopic('Sails');
    const ropes = await openTopic('Ropes');
    await ann.call('messages.updatePinnedForumTopic', { peer: ann.channelPeer(id), topic_id: sails, pinned: true });
    expect((await list(cara)).map((topic) => topic['id'])).toEqual([sails, ropes, 1]);
    const first = await write(ann, 'knots', { reply_to_msg_id: ropes });
    cara.pushed();
    await ann.call('channels.deleteTopicHistory', { channel: ann.channel(id), top_msg_id: ropes });
    expect(cara.pushed()).toMatchObject([{ _: 'updateDeleteChannelMessages', messages: [ropes, first['id']] }]);
    expect((await list(cara)).map((topic) => topic['id'])).toEqual([sails, 1]);
    expect((await list(cara, { q: 'sail' })).map((topic) => topic['id'])).toEqual([sails]);
  });

  it('is a group again once its topics are turned off', async () => {
    const off = { channel: ann.channel(id), enabled: false };
    expect(await cara.refused('channels.toggleForum', { ...off, channel: cara.channel(id) })).toBe(
      '400 CHAT_ADMIN_REQUIRED',
    );
    const { chats } = await ann.call('channels.toggleForum', off);
    expect(chats).toMatchObject([{ forum: false }]);
    expect(namesOf(cara.pushed())).toEqual(['updateChannel']);
    expect(await ann.refused('channels.toggleForum', off)).toBe('400 CHAT_NOT_MODIFIED');
  });
});
