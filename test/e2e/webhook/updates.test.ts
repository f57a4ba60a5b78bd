import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultsOf, textsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

const cara = '1003';
const family = '-2001';

let scene: UpdatesScene;
beforeEach(async () => {
  scene = await openUpdatesScene();
});
afterEach(() => scene.close());

describe('what is recorded', () => {
  it('[WH3.1] is a message of a private chat, with whom it is from', async () => {
    const caller = await scene.annWithWebhook();
    const id = await scene.write(bob, ann, 'hello Ann');
    const [delivery] = await scene.delivered(caller, 1);
    expect(delivery).toMatchObject({
      type: 'MessageReceived',
      metadata: { seq: 1, login: 1 },
      content: {
        user: { id: bob, name: 'Bob Stone', username: 'bobstone' },
        message: { chatId: bob, fromMe: false, text: 'hello Ann' },
      },
    });
    expect(delivery?.content.message.id).toBeGreaterThan(0);
    expect(id).toBeGreaterThan(0);
  });

  it('[WH3.1] is what the owner writes on another device, as their own', async () => {
    const caller = await scene.annWithWebhook();
    const id = await scene.write(ann, bob, 'from my phone');
    const [delivery] = await scene.delivered(caller, 1);
    expect(delivery?.content).toMatchObject({
      user: { id: bob, name: 'Bob Stone' },
      message: { id, chatId: bob, fromMe: true, text: 'from my phone' },
    });
  });

  it('[WH3.1] are edits, reads and deletions, in the order of what happened', async () => {
    const caller = await scene.annWithWebhook();
    const mine = await scene.write(ann, bob, 'first');
    await scene.delivered(caller, 1);
    await scene.sandbox.call('PATCH', `/accounts/${ann}/messages/${bob}/${mine}`, { text: 'second' });
    await scene.sandbox.call('POST', `/accounts/${bob}/read`, { peer: ann });
    await scene.delivered(caller, 3);
    await scene.write(bob, ann, 'answer');
    await scene.sandbox.call('POST', `/accounts/${ann}/read`, { peer: bob });
    await scene.sandbox.call('DELETE', `/accounts/${ann}/messages/${bob}/${mine}`);
    const deliveries = await scene.delivered(caller, 6);
    expect(deliveries.map(({ type }) => type)).toEqual([
      'MessageReceived',
      'MessageEdited',
      'MessagesRead',
      'MessageReceived',
      'MessagesRead',
      'MessagesDeleted',
    ]);
    expect(textsOf(deliveries)).toEqual(['first', '~second', 'answer']);
    expect(deliveries[2]?.content).toMatchObject({ user: { id: bob }, upTo: mine, fromMe: false });
    expect(deliveries[4]?.content).toMatchObject({ user: { id: bob }, fromMe: true });
    expect(deliveries[5]?.content).toMatchObject({ user: { id: bob, name: 'Bob Stone' }, messageIds: [mine] });
    expect(new Set(deliveries.map(({ metadata }) => metadata.chat)).size).toBe(1);
    expect(faultsOf(await scene.deliveries(caller))).toEqual([]);
  });

  it('[WH3.3] is nothing of groups, channels, notes to oneself and other people', async () => {
    const caller = await scene.annWithWebhook();
    const group = await scene.write(bob, family, 'to all');
    await scene.write(ann, family, 'to all as well');
    await scene.write(ann, ann, 'a note');
    await scene.write(ann, '@daily', 'news');
    await scene.write(bob, cara, 'not for Ann');
    await scene.sandbox.call('DELETE', `/accounts/${bob}/messages/${family}/${group}`);
    await scene.write(cara, ann, 'for Ann');
    expect(textsOf(await scene.delivered(caller, 1))).toEqual(['for Ann']);
    expect(await scene.deliveries(caller)).toHaveLength(1);
  });

  it('[WH3.1] is what a bot writes', async () => {
    const caller = await scene.annWithWebhook();
    await scene.write('1004', ann, 'beep');
    const [delivery] = await scene.delivered(caller, 1);
    expect(delivery?.content.user).toMatchObject({ id: '1004', username: 'helperbot' });
  });

  it('[SE11.1] is not readable in the store', async () => {
    const caller = await scene.annWithWebhook();
    await scene.write(bob, ann, 'marker of a text');
    await scene.delivered(caller, 1);
    const files = ['events.db', 'events.db-wal', 'views.db', 'views.db-wal'].map((name) =>
      readFile(`${scene.gateway.dataDir}/${name}`).catch(() => Buffer.alloc(0)),
    );
    const kept = Buffer.concat(await Promise.all(files)).toString('latin1');
    if (scene.kurrent === undefined) expect(kept).toContain('MessageReceived');
    expect(kept).not.toContain('marker of a text');
    expect(kept).not.toContain('Bob Stone');
  });
});

describe('what is not echoed', () => {
  const send = async (caller: Parameters<UpdatesScene['request']>[0], text: string): Promise<string> => {
    const answer = await scene.request(caller, 'POST', '/message', { user: bob, type: 'text', text });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body['messageId'] as string;
  };

  it('[WH3.2] is what was sent, though it can be edited and deleted like any other', async () => {
    const caller = await scene.annWithWebhook();
    const id = await send(caller, 'from the gateway');
    await scene.sandbox.call('PATCH', `/accounts/${ann}/messages/${bob}/${id}`, { text: 'changed on the phone' });
    await scene.delivered(caller, 1);
    await scene.sandbox.call('DELETE', `/accounts/${ann}/messages/${bob}/${id}`);
    const deliveries = await scene.delivered(caller, 2);
    expect(textsOf(deliveries)).toEqual(['~changed on the phone']);
    expect(deliveries[1]).toMatchObject({ type: 'MessagesDeleted', content: { messageIds: [Number(id)] } });
  });

  it('[WH3.2] is known by its ID, not by its text', async () => {
    const caller = await scene.annWithWebhook();
    await send(caller, 'the same');
    await scene.write(ann, bob, 'the same');
    await send(caller, 'the same');
    const [delivery, ...more] = await scene.delivered(caller, 1);
    expect(more).toEqual([]);
    expect(delivery?.content.message.text).toBe('the same');
    await scene.write(bob, ann, 'the end');
    expect(textsOf(await scene.delivered(caller, 2))).toEqual(['the same', 'the end']);
  });
});
