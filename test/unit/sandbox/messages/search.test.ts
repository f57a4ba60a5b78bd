import { beforeEach, describe, expect, it } from 'vitest';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import {
  annId,
  bobId,
  caraId,
  dailyId,
  type MessageScene,
  makersId,
  openMessageScene,
  refusedWith,
} from '../../../support/sandbox/message-scene.ts';

let scene: MessageScene;
beforeEach(async () => {
  scene = await openMessageScene();
});

const filterOf = (name: string) => ({ _: `inputMessagesFilter${name}` });
const daily = () => scene.channel(scene.ann, dailyId);
const makers = () => scene.channel(scene.ann, makersId);
const search = (peer: TlObject, more: Record<string, unknown> = {}) =>
  scene.call(scene.ann, 'messages.search', {
    peer,
    q: '',
    filter: filterOf('Empty'),
    min_date: 0,
    max_date: 0,
    offset_id: 0,
    add_offset: 0,
    limit: 100,
    min_id: 0,
    max_id: 0,
    ...more,
  });
const idsOf = ({ messages }: TlObject): number[] => messages.map(({ id }: TlObject) => id);

describe('messages.search', () => {
  it("[SM8.1] finds words by their beginnings, in any case, and files' names", async () => {
    const { messages } = await search(makers(), { q: 'PRINT works' });
    expect(messages.length).toBeGreaterThan(1);
    expect(new Set(messages.map(({ message }: TlObject) => message))).toEqual(new Set(['The printer works again.']));
    expect((await search(makers(), { q: 'rinter' }))['messages']).toEqual([]);
    expect((await search(daily(), { q: 'paper' }))['messages'][0].media.document.mime_type).toBe('application/pdf');
  });

  it.each([
    ['Photos', ({ media }: TlObject) => media._ === 'messageMediaPhoto'],
    ['Video', ({ media }: TlObject) => media.video],
    ['PhotoVideo', ({ media }: TlObject) => media.video || media._ === 'messageMediaPhoto'],
    ['Document', ({ media }: TlObject) => media.document.mime_type === 'application/pdf'],
    ['Url', ({ message }: TlObject) => message.includes('https://')],
    ['Gif', ({ media }: TlObject) => media.document.mime_type === 'video/mp4' && !media.video],
    ['Voice', ({ media }: TlObject) => media.voice],
    ['Music', ({ media }: TlObject) => media.document.mime_type === 'audio/mpeg'],
    ['RoundVideo', ({ media }: TlObject) => media.round],
    ['RoundVoice', ({ media }: TlObject) => media.round || media.voice],
    ['ChatPhotos', ({ action }: TlObject) => action._ === 'messageActionChatEditPhoto'],
    ['Geo', ({ media }: TlObject) => /Geo|Venue/.test(media._)],
    ['Contacts', ({ media }: TlObject) => media._ === 'messageMediaContact'],
    ['Poll', ({ media }: TlObject) => media._ === 'messageMediaPoll'],
    ['Pinned', ({ pinned }: TlObject) => pinned],
  ] as const)('[SM8.1] finds with the filter %s', async (name, holds) => {
    const filter = filterOf(name);
    const { messages } = await search(daily(), { filter });
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message: TlObject) => !holds(message))).toEqual([]);
  });

  it('[SM8.1] counts what each filter finds', async () => {
    const filters = ['Photos', 'Voice', 'Pinned'].map(filterOf);
    const counters = await scene.call(scene.ann, 'messages.getSearchCounters', { peer: daily(), filters });
    for (const { filter, count } of counters as unknown as TlObject[]) {
      expect(await search(daily(), { filter, limit: 1 })).toMatchObject({ count });
    }
  });

  it('[SM8.1] finds mentions of oneself and replies to oneself', async () => {
    const own = await scene.send(scene.ann, makers(), 'here');
    const reply_to = { _: 'inputReplyToMessage', reply_to_msg_id: own };
    const reply = await scene.send(scene.cara, scene.channel(scene.cara, makersId), 'there', { reply_to });
    const user_id = { ...scene.user(scene.cara, annId), _: 'inputUser' };
    const entities = [{ _: 'inputMessageEntityMentionName', offset: 0, length: 3, user_id }];
    const mention = await scene.send(scene.cara, scene.channel(scene.cara, makersId), 'you!', { entities });
    expect(idsOf(await search(makers(), { filter: filterOf('MyMentions') }))).toEqual([mention, reply]);
  });

  it('[SM8.2] is limited by sender, dates and IDs, and comes in pages', async () => {
    const all = (await search(daily()))['messages'] as TlObject[];
    const date = all[50]?.['date'];
    const newer = await search(daily(), { min_date: date });
    expect(idsOf(newer)).toEqual(all.slice(0, 50).map(({ id }) => id));
    const older = await search(daily(), { max_date: date, limit: 3 });
    expect(idsOf(older)).toEqual(all.slice(51, 54).map(({ id }) => id));
    expect(idsOf(await search(daily(), { min_id: 100, max_id: 104 }))).toEqual([103, 102, 101]);
    const filter = filterOf('Photos');
    const first = await search(daily(), { filter, limit: 5 });
    const next = await search(daily(), { filter, limit: 5, offset_id: idsOf(first).at(-1) });
    const both = await search(daily(), { filter, limit: 10 });
    expect(idsOf(both)).toEqual([...idsOf(first), ...idsOf(next)]);
    expect(await search(daily(), { filter, limit: 0 })).toMatchObject({ messages: [], count: first['count'] });
    const own = await scene.send(scene.ann, makers(), 'mine');
    expect(idsOf(await search(makers(), { from_id: scene.self }))).toEqual([own]);
  });

  it('[SM8.2] goes through all private chats and basic groups if no chat is named', async () => {
    const { messages } = await search({ _: 'inputPeerEmpty' }, { q: 'tea' });
    expect(messages.map(({ message }: TlObject) => message)).toEqual(['And the tea.', 'And the tea?']);
    const nothing = search({ _: 'inputPeerEmpty' });
    await expect(nothing).rejects.toMatchObject(refusedWith('SEARCH_QUERY_EMPTY'));
    const unknown = search(daily(), { filter: { _: 'inputMessagesFilterOfTomorrow' } });
    await expect(unknown).rejects.toMatchObject(refusedWith('INPUT_FILTER_INVALID'));
  });
});

describe('messages.searchGlobal', () => {
  const global = (more: Record<string, unknown>) =>
    scene.call(scene.ann, 'messages.searchGlobal', {
      q: 'global',
      filter: filterOf('Empty'),
      min_date: 0,
      max_date: 0,
      offset_rate: 0,
      offset_peer: { _: 'inputPeerEmpty' },
      offset_id: 0,
      limit: 10,
      ...more,
    });
  const textsOf = ({ messages }: TlObject): string[] => messages.map(({ message }: TlObject) => message);

  it('[SM8.3] goes through all chats, newest first, in pages', async () => {
    const peers = [scene.user(scene.ann, bobId), makers(), daily(), scene.user(scene.ann, caraId)];
    for (const [index, peer] of peers.entries()) {
      await scene.send(scene.ann, peer, `global ${index}`);
      if (index !== 1) scene.clock.time += 5_000;
    }
    expect(textsOf(await global({}))).toHaveLength(4);
    const seen: string[] = [];
    let offset: Record<string, unknown> = {};
    for (let page = 0; page < 4; page += 1) {
      const answer = await global({ ...offset, limit: 1 });
      seen.push(...textsOf(answer));
      const { peer_id, id } = answer['messages'][0];
      const number = Number(peer_id.user_id ?? peer_id.channel_id);
      const offset_peer = peer_id.user_id ? scene.user(scene.ann, number) : scene.channel(scene.ann, number);
      offset = { offset_rate: answer['next_rate'], offset_peer, offset_id: id };
    }
    expect(seen.toSorted()).toEqual(['global 0', 'global 1', 'global 2', 'global 3']);
    expect(seen[0]).toBe('global 3');
    expect(textsOf(await global({ users_only: true }))).toEqual(['global 3', 'global 0']);
    expect(textsOf(await global({ broadcasts_only: true }))).toEqual(['global 2']);
    expect(textsOf(await global({ groups_only: true }))).toEqual(['global 1']);
    expect(textsOf(await global({ folder_id: 1 }))).toEqual([]);
  });

  it('[SM8.3] is refused as Telegram refuses it', async () => {
    await expect(global({ q: ' ' })).rejects.toMatchObject(refusedWith('SEARCH_QUERY_EMPTY'));
    await expect(global({ folder_id: 7 })).rejects.toMatchObject(refusedWith('FOLDER_ID_INVALID'));
  });
});
