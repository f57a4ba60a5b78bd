import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Delivery, faultsOf, textsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

const cara = '1003';
const family = '-2001';
const quiet = '-1003002';

let scene: UpdatesScene;
beforeEach(async () => {
  scene = await openUpdatesScene();
});
afterEach(() => scene.close());

const messages = ['message', 'message.edited', 'message.deleted'];
const control = (method: string, path: string, body?: object): Promise<unknown> =>
  scene.sandbox.call(method, path, body);
/** What a delivery is about. */
const placeOf = ({ type, content }: Delivery): unknown[] => [type, content.chat?.id ?? content.user?.id];

describe('what is recorded of groups and channels', () => {
  it('[EV1.4] are the messages of basic groups, supergroups and channels that are wanted, with their senders', async () => {
    const caller = await scene.annWithWebhook({ events: messages, chats: 'all' });
    await scene.write(bob, family, 'in the family');
    await scene.write(cara, quiet, 'in the room');
    await scene.write(bob, ann, 'between us');
    const found = await scene.delivered(caller, 3);
    expect(faultsOf(found)).toEqual([]);
    const byText = new Map(found.map((each) => [each.content.message.text, each.content]));
    expect(byText.get('in the family')).toMatchObject({
      chat: { id: family, kind: 'group', name: 'Family' },
      user: { id: bob, name: 'Bob Stone' },
      message: { chatId: family, fromMe: false },
    });
    expect(byText.get('in the room')).toMatchObject({
      chat: { id: quiet, kind: 'group', name: 'Quiet room' },
      user: { id: cara, name: 'Cara' },
      message: { chatId: quiet, fromMe: false },
    });
    expect(byText.get('between us')).not.toHaveProperty('chat');
  });

  it('[EV1.4] are edits and deletions there, and nothing of other chats', async () => {
    const caller = await scene.annWithWebhook({ events: messages, chats: 'groups' });
    const one = await scene.write(bob, family, 'one');
    const two = await scene.write(cara, quiet, 'two');
    await scene.write(bob, ann, 'not wanted');
    await scene.delivered(caller, 2);
    await control('PATCH', `/accounts/${cara}/messages/${quiet}/${two}`, { text: 'two, better' });
    await control('DELETE', `/accounts/${cara}/messages/${quiet}/${two}`);
    await scene.delivered(caller, 4);
    await control('DELETE', `/accounts/${bob}/messages/${family}/${one}`);
    const found = await scene.delivered(caller, 5);
    expect(textsOf(found).toSorted()).toEqual(['one', 'two', '~two, better']);
    expect(found.slice(2).map(placeOf)).toEqual([
      ['MessageEdited', quiet],
      ['MessagesDeleted', quiet],
      ['MessagesDeleted', family],
    ]);
  });

  it('[EV1.5] is what came in between, after a restart and after a time away, once and in order', async () => {
    const caller = await scene.annWithWebhook({ events: messages, chats: [quiet, family] });
    await scene.write(cara, quiet, '1');
    await scene.delivered(caller, 1);
    await scene.write(cara, quiet, '2');
    await scene.write(bob, family, 'f1');
    await scene.delivered(caller, 3);
    await scene.gateway.crash();
    for (const text of ['3', '4']) await scene.write(cara, quiet, text);
    await scene.write(bob, family, 'f2');
    await scene.restart();
    await scene.gateway.started;
    await scene.read(caller, ({ isConnected }) => isConnected);
    await scene.delivered(caller, 6);
    await away(caller, async () => {
      for (const text of ['5', '6']) await scene.write(cara, quiet, text);
      await scene.write(bob, family, 'f3');
    });
    const found = await scene.delivered(caller, 9);
    const inChat = (id: string): string[] => textsOf(found.filter(({ content }) => content.chat?.id === id));
    expect([inChat(quiet), inChat(family)]).toEqual([
      ['1', '2', '3', '4', '5', '6'],
      ['f1', 'f2', 'f3'],
    ]);
    await scene.pass(60_000);
    expect(await scene.deliveries(caller)).toHaveLength(9);
    expect(faultsOf(await scene.deliveries(caller))).toEqual([]);
  });
});

/** Ten minutes without a connection. */
async function away(caller: Caller, meanwhile: () => Promise<void>): Promise<void> {
  await control('POST', '/network', { action: 'refuse', userId: ann });
  await control('POST', '/network', { action: 'cut', userId: ann });
  await scene.pass(60_000);
  await scene.read(caller, ({ isConnected }) => !isConnected);
  await meanwhile();
  await scene.pass(9 * 60_000);
  await control('POST', '/network', { action: 'accept', userId: ann });
  await scene.pass(60_000);
  await scene.read(caller, ({ isConnected }) => isConnected);
}
