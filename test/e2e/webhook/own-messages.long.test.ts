import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultsOf, textsOf } from '../../support/e2e/deliveries.ts';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

/** Whose a message is that the account wrote: the gateway's, which is not echoed, or its owner's on another device. */

const files = useFiles();
let scene: UpdatesScene;
beforeEach(async () => {
  scene = await openUpdatesScene(reachable);
});
afterEach(() => scene.close());

const send = (caller: Caller, body: object, key?: string): ReturnType<UpdatesScene['request']> =>
  scene.gateway.http.request('POST', '/message', {
    headers: { ...caller.headers, ...(key !== undefined && { 'idempotency-key': key }) },
    body: { user: bob, type: 'text', ...body },
  });
const dropAnswer = (method = 'messages.sendMessage'): Promise<unknown> =>
  scene.sandbox.call('POST', '/faults', { method, dropAnswer: true });
const seenByBob = (): Promise<{ id: number; text: string; media: object | null }[]> =>
  scene.sandbox.call('GET', `/accounts/${bob}/messages?peer=${ann}&limit=100`);
async function untilBobSees(count: number): Promise<void> {
  while ((await seenByBob()).length < count) await scene.clock.advance(0);
}
/** What is told of messages, once the last one is, which is Bob's. */
async function told(caller: Caller, count: number): Promise<{ id: number; text: string; fromMe: boolean }[]> {
  await scene.write(bob, ann, 'the end');
  const deliveries = await scene.delivered(caller, count + 1);
  expect(textsOf(deliveries).at(-1)).toBe('the end');
  expect(deliveries).toHaveLength(count + 1);
  expect(faultsOf(await scene.deliveries(caller))).toEqual([]);
  return deliveries.slice(0, -1).map(({ content: { message } }) => message);
}

describe('the same words at the same time, from the gateway and from the phone', () => {
  it.each([
    ['as they come', false],
    ['where the gateway never hears of its own', true],
  ])('[WH3.2] are one event, the phone’s: %s', async (_, isLost) => {
    const caller = await scene.annWithWebhook();
    const fromPhone: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      if (isLost && round % 3 === 0) await dropAnswer();
      const write = async (): Promise<void> => void fromPhone.push(await scene.write(ann, bob, 'the same'));
      const sent = (): Promise<unknown> => scene.whilePassing(send(caller, { text: 'the same' }));
      const [first, second] = round % 2 === 0 ? [write, sent] : [sent, write];
      await Promise.all([first(), second()]);
    }
    const messages = await told(caller, fromPhone.length);
    expect(messages.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(fromPhone);
    expect(messages.every(({ text, fromMe }) => text === 'the same' && fromMe)).toBe(true);
  });
});

describe('what POST /message sent', () => {
  const contents = async (): Promise<[string, object][]> => {
    const color = { width: 40, height: 40, channels: 3, background: '#123456' } as const;
    const image = await sharp({ create: color }).png().toBuffer();
    const document = { name: 'a.bin', size: 5, mimetype: 'application/octet-stream' };
    return [
      ['image', { type: 'image', text: 'mine', image: { url: files.serve(image), mimetype: 'image/png' } }],
      ['document', { type: 'document', document: { ...document, url: files.serve(Buffer.from('12345')) } }],
      ['location', { type: 'location', location: { latitude: 1, longitude: 2 } }],
      ['contact', { type: 'contact', contact: { name: 'Cara', phone: '15550000003' } }],
    ];
  };

  it.each([
    ['as it comes', false],
    ['where its answer is lost', true],
  ])('[WH3.2] is not echoed, whatever its kind: %s', async (_, isLost) => {
    const caller = await scene.annWithWebhook();
    for (const [kind, body] of await contents()) {
      const before = (await seenByBob()).length;
      if (isLost) await dropAnswer('messages.sendMedia');
      const answer = send(caller, body);
      await untilBobSees(before + 1);
      // A push that says nothing of whose it is, and a difference that does.
      const photo = await scene.write(ann, bob, `from the phone, after the ${kind}`);
      expect(await scene.whilePassing(answer)).toMatchObject({ status: 200 });
      expect(photo).toBeGreaterThan(0);
    }
    const messages = await told(caller, 4);
    expect(messages.map(({ text }) => text)).toEqual(
      ['image', 'document', 'location', 'contact'].map((kind) => `from the phone, after the ${kind}`),
    );
  });

  it('[WH3.2] is not echoed where it is asked for again, under its key, after a crash', async () => {
    const caller = await scene.annWithWebhook();
    await dropAnswer();
    const before = (await seenByBob()).length;
    const answer = send(caller, { text: 'the same' }, 'key 1').catch(() => undefined);
    await untilBobSees(before + 1);
    await scene.gateway.crash();
    await answer;
    const id = await scene.write(ann, bob, 'the same');
    await scene.restart();
    await scene.gateway.started;
    await scene.read(caller, ({ isConnected }) => isConnected);
    const again = await scene.whilePassing(send(caller, { text: 'the same' }, 'key 1'));
    expect(again).toMatchObject({ status: 200 });
    const messages = await told(caller, 1);
    expect(messages).toMatchObject([{ id, text: 'the same', fromMe: true }]);
    expect((await seenByBob()).filter(({ text }) => text === 'the same')).toHaveLength(2);
  });

  it('[WH3.2] is not echoed where updates are lost, doubled and turned around', async () => {
    const caller = await scene.annWithWebhook();
    const fromPhone: number[] = [];
    for (const fault of [{ loseUpdates: 2 }, { duplicateUpdates: 2 }, { reorderUpdates: 3 }]) {
      await scene.sandbox.call('POST', '/chaos', { ...fault, userId: ann });
      for (let round = 0; round < 3; round += 1) {
        const sent = send(caller, { text: 'the same' });
        fromPhone.push(await scene.write(ann, bob, 'the same'));
        expect(await scene.whilePassing(sent)).toMatchObject({ status: 200 });
      }
      await scene.pass(2_000);
    }
    expect((await told(caller, fromPhone.length)).map(({ id }) => id)).toEqual(fromPhone);
  });

  it('[WH3.2] is not echoed where Telegram tells of it in slices after a cut', async () => {
    const caller = await scene.annWithWebhook();
    await scene.sandbox.call('POST', '/chaos', { differenceSlice: 2 });
    const fromPhone: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await dropAnswer();
      const before = (await seenByBob()).length;
      const sent = send(caller, { text: 'the same' });
      await untilBobSees(before + 1);
      fromPhone.push(await scene.write(ann, bob, 'the same'));
      await scene.sandbox.call('POST', '/network', { action: 'cut', userId: ann });
      // Whatever it is answered: Bob has it.
      await scene.whilePassing(sent);
      await scene.whilePassing(scene.read(caller, ({ isConnected }) => isConnected));
    }
    expect((await told(caller, fromPhone.length)).map(({ id }) => id)).toEqual(fromPhone);
  });
});

describe('two sessions of one account', () => {
  it('[WH3.2] hear nothing of what the other sent, and all of what the phone wrote', async () => {
    const [first, second] = [await scene.annWithWebhook(), await scene.annWithWebhook()];
    const texts = Array.from({ length: 6 }, (_, at) => `sent ${at}`);
    for (const [at, text] of texts.entries()) {
      if (at === 2) await dropAnswer();
      const sent = await scene.whilePassing(send(at % 2 === 0 ? first : second, { text }));
      expect(sent.status).toBe(200);
    }
    await scene.write(ann, bob, 'from the phone');
    for (const caller of [first, second]) {
      const [delivered, ...more] = await scene.delivered(caller, 1);
      expect([textsOf(delivered === undefined ? [] : [delivered]), more]).toEqual([['from the phone'], []]);
    }
  });

  it('[WH3.2] nor of what a session sent that has been deleted since', async () => {
    const [first, second] = [await scene.annWithWebhook(), await scene.annWithWebhook()];
    await scene.sandbox.call('POST', '/chaos', { userId: ann, loseUpdates: 2 });
    expect((await scene.whilePassing(send(first, { text: 'sent' }))).status).toBe(200);
    expect((await scene.request(first, 'DELETE', '/session')).status).toBe(200);
    await scene.write(bob, ann, 'the end');
    const deliveries = await scene.delivered(second, 1);
    expect(textsOf(deliveries)).toEqual(['the end']);
  });
});
