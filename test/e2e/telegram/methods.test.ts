import bigInt from 'big-integer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwner } from '../../support/e2e/owner-scene.ts';
import { bob } from '../../support/e2e/scene.ts';
import { type GramJsClient, loggedInGramJs } from '../../support/sandbox/gramjs-login.ts';
import { plainOfGramJs, plainOfJson } from '../../support/telegram/plain-answer.ts';
import { Api } from '../../support/telegram-clients/gramjs.ts';

/** `POST /telegram/{method}` for methods that no endpoint wraps: what GramJS itself is answered, for the same account. */

const owner = useOwner();
let gramJs: GramJsClient;
beforeAll(async () => {
  gramJs = await loggedInGramJs(owner.scene.telegram, 1001);
});
afterAll(() => gramJs.destroy());

const zero = bigInt.zero;
const self = { _: 'inputPeerSelf' };
const gramSelf = new Api.InputPeerSelf();
const makers = '-1003001';
const family = '-2001';
const peerOf = (id: string) => gramJs.getInputEntity(bigInt(id));

type Case = [method: string, params: object | undefined, request: () => unknown];
const cases: Case[] = [
  ['help.getNearestDc', undefined, () => new Api.help.GetNearestDc()],
  ['help.getAppConfig', { hash: 0 }, () => new Api.help.GetAppConfig({ hash: 0 })],
  [
    'help.getCountriesList',
    { lang_code: 'en', hash: 0 },
    () => new Api.help.GetCountriesList({ langCode: 'en', hash: 0 }),
  ],
  ['help.getInviteText', {}, () => new Api.help.GetInviteText()],
  ['help.getPeerColors', { hash: 0 }, () => new Api.help.GetPeerColors({ hash: 0 })],
  ['langpack.getLanguages', { lang_pack: '' }, () => new Api.langpack.GetLanguages({ langPack: '' })],
  [
    'account.checkUsername',
    { username: 'nobody_here' },
    () => new Api.account.CheckUsername({ username: 'nobody_here' }),
  ],
  ['account.getContentSettings', {}, () => new Api.account.GetContentSettings()],
  [
    'account.getNotifySettings',
    { peer: { _: 'inputNotifyPeer', peer: makers } },
    async () => new Api.account.GetNotifySettings({ peer: new Api.InputNotifyPeer({ peer: await peerOf(makers) }) }),
  ],
  ['messages.getAvailableReactions', { hash: 0 }, () => new Api.messages.GetAvailableReactions({ hash: 0 })],
  [
    'messages.getTopReactions',
    { limit: 5, hash: '0' },
    () => new Api.messages.GetTopReactions({ limit: 5, hash: zero }),
  ],
  ['messages.getDialogFilters', {}, () => new Api.messages.GetDialogFilters()],
  ['messages.getDialogUnreadMarks', {}, () => new Api.messages.GetDialogUnreadMarks()],
  ['messages.getPinnedDialogs', { folder_id: 0 }, () => new Api.messages.GetPinnedDialogs({ folderId: 0 })],
  [
    'messages.getPeerSettings',
    { peer: bob },
    async () => new Api.messages.GetPeerSettings({ peer: await peerOf(bob) }),
  ],
  [
    'messages.getSearchCounters',
    { peer: '-1004001', filters: [{ _: 'inputMessagesFilterPhotos' }, { _: 'inputMessagesFilterVideo' }] },
    async () =>
      new Api.messages.GetSearchCounters({
        peer: await peerOf('-1004001'),
        filters: [new Api.InputMessagesFilterPhotos(), new Api.InputMessagesFilterVideo()],
      }),
  ],
  ['messages.getFullChat', { chat_id: '2001' }, () => new Api.messages.GetFullChat({ chatId: bigInt(2001) })],
  [
    'channels.getFullChannel',
    { channel: makers },
    async () => new Api.channels.GetFullChannel({ channel: await peerOf(makers) }),
  ],
  [
    'channels.getParticipant',
    { channel: makers, participant: bob },
    async () => new Api.channels.GetParticipant({ channel: await peerOf(makers), participant: await peerOf(bob) }),
  ],
  [
    'photos.getUserPhotos',
    { user_id: bob, offset: 0, max_id: '0', limit: 10 },
    async () => new Api.photos.GetUserPhotos({ userId: await peerOf(bob), offset: 0, maxId: zero, limit: 10 }),
  ],
  [
    'users.getUsers',
    { id: [{ _: 'inputUserSelf' }, bob] },
    async () => new Api.users.GetUsers({ id: [new Api.InputUserSelf(), await peerOf(bob)] }),
  ],
  ['contacts.getBlocked', { offset: 0, limit: 5 }, () => new Api.contacts.GetBlocked({ offset: 0, limit: 5 })],
  ['stories.getPeerStories', { peer: self }, () => new Api.stories.GetPeerStories({ peer: gramSelf })],
  [
    'messages.getHistory',
    { peer: '-1004001', offset_id: 0, offset_date: 0, add_offset: 0, limit: 60, max_id: 0, min_id: 0, hash: '0' },
    async () => new Api.messages.GetHistory({ peer: await peerOf('-1004001'), limit: 60, hash: zero }),
  ],
  ['messages.getChats', { id: ['2001'] }, () => new Api.messages.GetChats({ id: [bigInt(2001)] })],
  [
    'messages.getMessagesReactions',
    { peer: family, id: [1] },
    async () => new Api.messages.GetMessagesReactions({ peer: await peerOf(family), id: [1] }),
  ],
];

/** Drawn anew or counted on with each answer. */
const passing = new Set(['fileReference', 'date', 'pts', 'status', 'lastDate', 'expires']);
const lasting = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, held: unknown) => (passing.has(name) ? undefined : held)));

describe('POST /telegram/{method}', () => {
  beforeAll(async () => {
    // GramJS's own cache of access hashes.
    await gramJs.getDialogs({});
    await gramJs.invoke(new Api.messages.GetDialogs({ offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: zero }));
  });

  it.each(cases)('[RM1.1] [RM1.2] %s', async (method, params, request) => {
    const { status, body } = await owner.call(method, params);
    expect({ status, body: status === 200 ? {} : body }).toEqual({ status: 200, body: {} });
    const expected = await gramJs.invoke((await request()) as never);
    expect(lasting(plainOfJson(body))).toEqual(lasting(plainOfGramJs(expected)));
  });
});
