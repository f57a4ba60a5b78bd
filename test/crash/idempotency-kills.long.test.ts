import { describe, expect, it } from 'vitest';
import { useKeyed } from '../support/e2e/keyed-messages.ts';
import { ann, bob } from '../support/e2e/scene.ts';
import type { Seen } from '../support/e2e/writing-scene.ts';
import { noise } from '../support/telegram/outgoing-files.ts';

/** `Idempotency-Key` over crashes between sending and answering: one message, and its own ID. */

const crashes = 50;
const { files, writing, post, restart } = useKeyed();
const { arrivals, calls, fault, newText, seen } = writing;

describe('a crash', () => {
  const pdf = Buffer.from('%PDF-1.7 a page');

  /** Texts, and every fifth one a document. */
  const bodyOf = (index: number, text: string): object => {
    if (index % 5 !== 4) return { user: bob, text };
    const document = { url: files.serve(pdf), name: 'a.pdf', size: pdf.length, mimetype: 'application/pdf' };
    return { user: bob, type: 'document', text, document };
  };

  it(`[MS7.1] between sending and answering, ${crashes} times: the phone sees each message once`, async () => {
    const texts: string[] = [];
    const ids: unknown[] = [];
    let unanswered = 0;
    for (let index = 0; index < crashes; index++) {
      const text = newText();
      texts.push(text);
      const body = bodyOf(index, text);
      const method = index % 5 === 4 ? 'messages.sendMedia' : 'messages.sendMessage';
      // Every second one is taken by Telegram for sure, and never answered; the others die at any moment.
      const isTaken = index % 2 === 0;
      if (isTaken) await fault({ method, dropAnswer: true });
      const before = await calls(method);
      const sending = post(`crash ${index}`, body).catch(() => undefined);
      if (isTaken) await arrivals(method, before);
      else for (let turn = 0; turn < index; turn++) await new Promise((resolve) => void setImmediate(resolve));
      await restart();
      if ((await sending) === undefined) unanswered += 1;
      await writing.scene.sandbox.call('DELETE', '/faults');
      const again = await writing.scene.whilePassing(post(`crash ${index}`, body));
      expect(again).toMatchObject({ status: 200, body: { messageId: expect.any(String) } });
      ids.push(again.body['messageId']);
    }
    const sent = await seen(bob, ann, 1000);
    const found = texts.map((text) => sent.filter((message) => message.text === text).map(({ id }) => String(id)));
    expect(found).toEqual(ids.map((id) => [id]));
    const atBob = (await seen(ann, bob, 1000)).filter(({ text }: Seen) => texts.includes(text));
    expect(atBob).toHaveLength(crashes);
    expect(unanswered).toBeGreaterThan(crashes / 3);
  });
});

describe('two messages alike under different keys, whose answers are lost, and then a restart', () => {
  /** Both are at Telegram; nobody has been told. */
  const lose = async (bodies: [string, object][]): Promise<void> => {
    await fault({ dropAnswer: true, times: bodies.length });
    for (const [key, body] of bodies) {
      const before = await calls('messages.sendMessage');
      void post(key, body).catch(() => undefined);
      await arrivals('messages.sendMessage', before);
    }
    await restart();
    await writing.scene.sandbox.call('DELETE', '/faults');
  };

  /** What the keys are answered when they are asked again, and under which IDs the text is there, the older first. */
  const askAgain = async (
    keys: readonly string[],
    body: { text: string },
    chat: string,
  ): Promise<{ answered: unknown[]; there: string[] }> => {
    const answered: unknown[] = [];
    for (const key of keys) {
      const { status, body: answer } = await writing.scene.whilePassing(post(key, body));
      answered.push(status === 200 ? answer['messageId'] : answer);
    }
    const found = (await seen(chat, ann, 1000)).filter(({ text }) => text === body.text);
    return { answered, there: found.map(({ id }) => String(id)).toReversed() };
  };
  const chats: [string, object, string][] = [
    ['to a user', { user: bob }, bob],
    ['to a basic group', { group: '-2001' }, '-2001'],
    ['to a supergroup', { group: '-1003001' }, '-1003001'],
    ['to a channel', { channel: '-1004001' }, '-1004001'],
  ];

  it.each(chats)(
    '[MS7.1] %s: each key gets its own, in whichever order they are asked',
    async (what, receiver, chat) => {
      const body = { ...receiver, text: newText() };
      const keys = ['first', 'second', 'third'].map((name) => `${name} twin ${what}`);
      await lose(keys.map((key) => [key, body]));
      const { answered, there } = await askAgain(keys.toReversed(), body, chat);
      expect(answered.toReversed()).toEqual(there);
    },
  );

  it.each(chats.slice(2))(
    '[MS7.3] %s, of whose past Telegram tells nothing: by their order',
    async (what, receiver, chat) => {
      const body = { ...receiver, text: newText() };
      const keys = ['first', 'second'].map((name) => `${name} unnamed twin ${what}`);
      await lose(keys.map((key) => [key, body]));
      await fault({ method: 'updates.getChannelDifference', error: 'CHANNEL_PRIVATE', times: 99 });
      const { answered, there } = await askAgain(keys, body, chat);
      expect(answered).toEqual(there);
    },
  );

  it('[MS7.1] media: nothing is fetched or uploaded again, the file may be gone', async () => {
    let isGone = false;
    const url = files.serve((response) => void (isGone ? response.writeHead(404).end() : response.end(noise(9))));
    const document = { url, name: 'a.bin', size: 9, mimetype: 'application/octet-stream' };
    const body = { group: '-1003001', type: 'document', text: newText(), document };
    const keys = ['first media twin', 'second media twin'];
    await fault({ method: 'messages.sendMedia', dropAnswer: true, times: 2 });
    for (const key of keys) {
      const before = await calls('messages.sendMedia');
      void post(key, body).catch(() => undefined);
      await arrivals('messages.sendMedia', before);
    }
    await restart();
    isGone = true;
    const { answered, there } = await askAgain(keys, body, '-1003001');
    expect(answered).toEqual(there);
  });
});
