import type { TelegramClient } from '@mtcute/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ann, bob, bobsPassword, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { mtcuteClient } from '../../support/telegram-clients/mtcute.ts';

/** Ann through the gateway, Bob through mtcute, which shares nothing with it: what one writes the other reads. */

let scene: Scene;
let caller: Caller;
let bobsClient: TelegramClient;
/** What Bob's client has been told of, in the order in which it was. */
const heard: { chat: number; text: string; replyTo: number | null; silent: boolean; entities: string[] }[] = [];
let wake: () => void = () => undefined;

beforeAll(async () => {
  scene = await openScene();
  caller = await scene.connected(ann);
  bobsClient = await mtcuteClient(scene.telegram.protocol);
  // It listens to updates from then on.
  await bobsClient.signInQr({
    onUrlUpdated: (link) => void scene.sandbox.scan(link, bob),
    password: bobsPassword,
  });
  bobsClient.onNewMessage.add((message) => {
    if (message.isOutgoing) return;
    heard.push({
      chat: message.chat.id,
      text: message.text,
      replyTo: message.replyToMessage?.id ?? null,
      silent: message.isSilent,
      entities: message.entities.map(({ kind }) => kind),
    });
    wake();
  });
});
afterAll(async () => {
  await bobsClient.destroy();
  await scene.close();
});

const send = (body: object): Promise<Answer> => scene.request(caller, 'POST', '/message', { type: 'text', ...body });
/** As soon as Bob has heard so many in all. */
async function heardInAll(count: number): Promise<typeof heard> {
  while (heard.length < count) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  return heard;
}

describe('Ann’s gateway and Bob’s mtcute', () => {
  it.each<[object, object]>([
    [
      { username: 'bob', text: '**Hello** [you](https://example.com/)', parseMode: 'markdown' },
      { chat: Number(ann), text: 'Hello you', entities: ['bold', 'text_link'], silent: false },
    ],
    [
      { phone: '+1 555 000 0002', text: '<i>Quiet</i>', parseMode: 'html', silent: true },
      { chat: Number(ann), text: 'Quiet', entities: ['italic'], silent: true },
    ],
    [
      { group: '-2001', text: 'To the family' },
      { chat: -2001, text: 'To the family' },
    ],
    [{ group: 'makers', text: 'To all makers' }, { text: 'To all makers' }],
  ])('what the gateway sends is received: %j', async (body, expected) => {
    const before = heard.length;
    expect(await send(body)).toMatchObject({ status: 200 });
    expect((await heardInAll(before + 1)).slice(before)).toMatchObject([expected]);
  });

  it('what mtcute sends is seen by the account, and can be answered', async () => {
    const { id } = await bobsClient.sendText('ann', 'Where are you?');
    expect(id).toBeGreaterThan(0);
    const [question] = await scene.sandbox.call<{ id: number; text: string }[]>(
      'GET',
      `/accounts/${ann}/messages?peer=${bob}&limit=1`,
    );
    expect(question).toMatchObject({ text: 'Where are you?', out: false });
    const before = heard.length;
    expect(await send({ user: bob, text: 'Here', replyTo: String(question?.id) })).toMatchObject({ status: 200 });
    expect((await heardInAll(before + 1)).at(-1)).toMatchObject({ text: 'Here', replyTo: id });
  });

  it('fifty messages are received in the order in which they were answered', async () => {
    const before = heard.length;
    const texts = Array.from({ length: 50 }, (_value, index) => `Number ${index + 1}`);
    for (const text of texts) expect(await send({ user: bob, text })).toMatchObject({ status: 200 });
    expect((await heardInAll(before + 50)).slice(before).map(({ text }) => text)).toEqual(texts);
  });

  it('someone whom the account has never met writes, and can be answered by ID', async () => {
    const stranger = await scene.sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: 'Sue' });
    expect(await send({ user: stranger.userId, text: 'Hello' })).toMatchObject({
      status: 400,
      body: { message: 'chat not found' },
    });
    await scene.sandbox.call('POST', `/accounts/${stranger.userId}/messages`, { peer: ann, text: 'Hello Ann' });
    expect(await send({ user: stranger.userId, text: 'Hello Sue' })).toMatchObject({ status: 200 });
    const path = `/accounts/${stranger.userId}/messages?peer=${ann}&limit=1`;
    expect(await scene.sandbox.call('GET', path)).toMatchObject([{ text: 'Hello Sue', out: false }]);
  });
});
