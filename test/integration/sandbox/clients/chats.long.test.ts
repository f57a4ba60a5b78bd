import bigInt from 'big-integer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { type GramJsClient, loggedInGramJs } from '../../../support/sandbox/gramjs-login.ts';
import { Api } from '../../../support/telegram-clients/gramjs.ts';

let sandbox: Sandbox;
let defects: string[];
let ann: GramJsClient;
beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox({ differenceSlice: 10 }));
});
beforeEach(async () => {
  await control(sandbox, 'POST', '/reset');
  ann = await loggedInGramJs(sandbox, 1001);
});
afterEach(async () => {
  await ann.destroy();
  if (defects.length > 0) throw new Error(defects.join('\n'));
});
afterAll(() => sandbox.close());

const post = (path: string, body?: object) => control(sandbox, 'POST', path, body);
const put = (path: string, body: object) => control(sandbox, 'PUT', path, body);
const dialogs = (params: object = {}) => ann.getDialogs({ limit: 1_000, ...params });
async function rawDialogs(folderId?: number) {
  const of = { offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: bigInt(0) };
  const answer = await ann.invoke(new Api.messages.GetDialogs(folderId === undefined ? of : { ...of, folderId }));
  if (!('dialogs' in answer)) throw new Error(answer.className);
  return answer;
}
/** By title: GramJS has another form of IDs. */
const titles = async (params: object = {}) => (await dialogs(params)).map(({ title = '' }) => title).toSorted();

describe('groups', () => {
  it('are listed in pages, each once', async () => {
    const { body } = await post('/accounts/1001/groups', { count: 230, members: 2 });
    expect(body).toHaveLength(230);
    const found = (await titles()).filter((title) => title?.startsWith('Group '));
    expect(new Set(found).size).toBe(230);
    expect(found).toHaveLength(230);
  });

  it('have a description, a photo and members', async () => {
    const [{ peer }] = (await post('/accounts/1001/groups', { count: 1, title: 'Alone' })).body;
    await post(`/chats/${peer}/members`, { count: 450 });
    const group = (await dialogs()).find(({ title }) => title === 'Alone')?.inputEntity;
    if (!(group instanceof Api.InputPeerChannel)) throw new Error('no group');
    const { fullChat } = await ann.invoke(new Api.channels.GetFullChannel({ channel: group }));
    expect(fullChat).toMatchObject({ about: 'All about Alone', participantsCount: 451 });
    expect((await ann.getParticipants(group, {})).length).toBe(451);
    const photo = await ann.downloadProfilePhoto(group, { isBig: false });
    expect((photo as Buffer).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });
});

describe('the archive', () => {
  it('contains the archived chats, and is an entry of the main list', async () => {
    await put('/accounts/1001/chats/@makers', { folder: 1 });
    expect(await titles({ folder: 1 })).toEqual(['Makers']);
    expect(await titles()).toContain('Makers');
    const main = await rawDialogs(0);
    expect(main.dialogs[0]).toMatchObject({ className: 'DialogFolder', folder: { id: 1 } });
    expect(main.dialogs).toHaveLength(11);
    await put('/accounts/1001/chats/@makers', { folder: 0 });
    expect(await titles({ folder: 1 })).toEqual([]);
  });
});

describe('a basic group that migrates', () => {
  it('stays, deactivated, and names its supergroup', async () => {
    const { body } = await post('/chats/-2001/migrate');
    const channelId = body.peer.slice('-100'.length);
    const both = (await dialogs()).filter(({ title }) => title === 'Family').map(({ entity }) => entity);
    expect(both.map((entity) => entity?.className ?? '').toSorted()).toEqual(['Channel', 'Chat']);
    const group = both.find((entity) => entity instanceof Api.Chat) as InstanceType<typeof Api.Chat>;
    expect(group.deactivated).toBe(true);
    const to = group.migratedTo as InstanceType<typeof Api.InputChannel>;
    expect(to.channelId.toString()).toBe(channelId);
    const full = await ann.invoke(new Api.channels.GetFullChannel({ channel: to }));
    expect(String((full.fullChat as InstanceType<typeof Api.ChannelFull>).migratedFromChatId)).toBe('2001');
    await expect(ann.sendMessage(group, { message: 'x' })).rejects.toThrow('PEER_ID_INVALID');
    await ann.sendMessage(to, { message: 'here now' });
    const { body: seen } = await control(sandbox, 'GET', `/accounts/1003/messages?peer=${body.peer}&limit=1`);
    expect(seen).toMatchObject([{ text: 'here now' }]);
  });
});

describe('a chat that the user is no longer in', () => {
  it('is forbidden after the user was removed, and not listed after the user left', async () => {
    await put('/chats/-2001/members/1001', { role: 'kicked' });
    await put('/chats/-1003002/members/1001', { role: 'kicked' });
    await put('/chats/-1003003/members/1001', { role: 'left' });
    // GramJS does not return forbidden chats.
    const { chats } = await rawDialogs();
    const kinds = Object.fromEntries(chats.map((chat) => ['title' in chat && chat.title, chat.className]));
    expect(kinds).toMatchObject({ Family: 'ChatForbidden', 'Quiet room': 'ChannelForbidden' });
    expect(kinds).not.toHaveProperty('Read only');
  });
});

describe('missed updates', () => {
  const difference = (pts: number) => ann.invoke(new Api.updates.GetDifference({ pts, date: 1, qts: 0 }));

  it('come in slices of the configured size', async () => {
    const { pts } = await ann.invoke(new Api.updates.GetState());
    for (let text = 1; text <= 5; text += 1) {
      await post('/accounts/1002/messages', { peer: 1001, text: String(text) });
    }
    await post('/chaos', { differenceSlice: 2 });
    const slice = await difference(pts);
    if (!(slice instanceof Api.updates.DifferenceSlice)) throw new Error(slice.className);
    expect(slice.newMessages).toHaveLength(2);
    expect(slice.intermediateState.pts).toBe(pts + 2);
    await post('/chaos', { differenceSlice: 0 });
    expect((await difference(pts + 2)).className).toBe('updates.Difference');
  });

  it('give differenceTooLong once they were deleted', async () => {
    const { pts } = await ann.invoke(new Api.updates.GetState());
    await post('/accounts/1002/messages', { peer: 1001, text: 'lost' });
    await post('/chaos', { forgetUpdates: true, userId: 1001 });
    expect(await difference(pts)).toMatchObject({ className: 'updates.DifferenceTooLong', pts: pts + 1 });
    expect((await difference(pts + 1)).className).not.toBe('updates.DifferenceTooLong');
    await expect(difference(pts + 2)).rejects.toThrow('PERSISTENT_TIMESTAMP_INVALID');
  });
});
