import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ann, bob, type Desk, openDesk, type PhoneMessage } from '../../support/chatwoot/desk.ts';
import type { MessageRecord } from '../../support/chatwoot/records.ts';

/** The bridge of clients/chatwoot between a real gateway, with the sandbox, and a Chatwoot that answers as its API documents. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(async () => {
  await desk?.close();
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** All of Chatwoot's messages with this text. */
const inChatwoot = (content: string): MessageRecord[] =>
  desk.chatwoot.messages.filter((message) => message.content === content);
const onPhone = async (text: string): Promise<PhoneMessage[]> =>
  (await desk.bobReads()).filter((message) => message.text === text);

/** Waits for the message, and then for another one that goes the same way: had there been a second, it would be there. */
async function onceInChatwoot(content: string): Promise<MessageRecord> {
  await expect.poll(() => inChatwoot(content).length).toBeGreaterThan(0);
  const marker = `after ${content}`;
  await desk.bobWrites({ text: marker });
  await expect.poll(() => inChatwoot(marker).length).toBeGreaterThan(0);
  const found = inChatwoot(content);
  expect(found).toHaveLength(1);
  return found[0] as MessageRecord;
}

async function onceOnPhone(text: string): Promise<PhoneMessage> {
  await expect.poll(async () => (await onPhone(text)).length).toBeGreaterThan(0);
  const marker = `after ${text}`;
  desk.chatwoot.write(marker);
  await expect.poll(async () => (await onPhone(marker)).length).toBeGreaterThan(0);
  const found = await onPhone(text);
  expect(found).toHaveLength(1);
  return found[0] as PhoneMessage;
}

describe('messages', () => {
  it('[CW1.1] a customer’s first message makes a contact and a conversation', async () => {
    await desk.bobWrites({ text: 'Where is my order?' });
    expect(await onceInChatwoot('Where is my order?')).toMatchObject({ type: 0, private: false });
    expect(desk.chatwoot.contacts).toHaveLength(1);
    expect(desk.chatwoot.contacts[0]).toMatchObject({ name: 'Bob Stone', identifier: `telegram-${bob}` });
    expect(desk.chatwoot.conversations).toHaveLength(1);
  });

  it('[CW1.2] an agent’s answer arrives with its formatting, and the agent sees that it has', async () => {
    const question = inChatwoot('Where is my order?')[0] as MessageRecord;
    const answer = desk.chatwoot.write('It is **on its way**, *really*', { inReplyTo: question.id });
    const arrived = await onceOnPhone('It is on its way, really');
    const asked = (await onPhone('Where is my order?'))[0] as PhoneMessage;
    expect(arrived).toMatchObject({ out: false, replyTo: asked.id });
    await expect.poll(() => answer.status).toBe('delivered');
  });

  it('[CW1.1] a reply names the message that it answers', async () => {
    const answer = (await onPhone('It is on its way, really'))[0] as PhoneMessage;
    await desk.bobWrites({ text: 'Thanks', replyTo: answer.id });
    const sent = desk.chatwoot.messages.find(({ content }) => content.startsWith('It is **on'));
    expect((await onceInChatwoot('Thanks')).inReplyTo).toBe(sent?.id);
  });

  it('[CW1.3] pictures and documents go both ways', async () => {
    const sentId = await desk.bobWrites({ text: 'Look', media: { kind: 'photo' } });
    const picture = await onceInChatwoot('Look');
    expect(picture.files).toHaveLength(1);
    expect(picture.files[0]).toMatchObject({ type: 'image/jpeg', name: expect.stringMatching(/^image-\d+\.jpg$/) });
    const original = await desk.phoneFile(`/accounts/${bob}/messages/${ann}/${sentId}/file`);
    expect(sha256(picture.files[0]?.bytes ?? Buffer.alloc(0))).toBe(sha256(new Uint8Array(original)));

    await desk.bobWrites({ media: { kind: 'document', name: 'paper.pdf' } });
    await expect
      .poll(() => desk.chatwoot.messages.filter(({ files }) => files[0]?.type === 'application/pdf').length)
      .toBe(1);

    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const text = Buffer.from('a list');
    desk.chatwoot.write('Two files', {
      files: [
        { name: 'drawing.png', type: 'image/png', bytes: png },
        { name: 'list.txt', type: 'text/plain', bytes: text },
      ],
    });
    expect((await onceOnPhone('Two files')).media).toMatchObject({ kind: 'photo' });
    const documents = (await desk.bobReads()).filter(({ media }) => media?.name === 'list.txt');
    expect(documents.map(({ media }) => media?.sha256)).toEqual([sha256(text)]);
  });

  it('[CW1.3] a file that is too large for Chatwoot comes as a link', async () => {
    await desk.bobWrites({ text: 'Large', media: { kind: 'document', size: 3_000_000 } });
    await expect
      .poll(() => desk.chatwoot.messages.filter(({ content }) => content.startsWith('Large\nhttp')).length)
      .toBe(1);
  });

  it('[CW1.4] what the account writes on a phone is the desk’s, and does not come back', async () => {
    await desk.bobWrites({ text: 'From my own phone' }, ann);
    expect(await onceInChatwoot('From my own phone')).toMatchObject({ type: 1, private: false });
    expect(await onPhone('From my own phone')).toHaveLength(1);
  });

  it('[CW1.5] edits and deletions are notes below the message, for agents alone', async () => {
    const id = await desk.bobWrites({ text: 'Tomorow' });
    const message = await onceInChatwoot('Tomorow');
    await desk.phone('PATCH', `/accounts/${bob}/messages/${ann}/${id}`, { text: 'Tomorrow' });
    expect(await onceInChatwoot('Edited in Telegram: Tomorrow')).toMatchObject({
      private: true,
      inReplyTo: message.id,
    });
    await desk.phone('DELETE', `/accounts/${bob}/messages/${ann}/${id}`);
    expect(await onceInChatwoot('Deleted in Telegram.')).toMatchObject({ private: true, inReplyTo: message.id });
    expect(await onPhone('Edited in Telegram: Tomorrow')).toHaveLength(0);
  });

  it('[CW1.5] an agent’s private note stays in Chatwoot', async () => {
    desk.chatwoot.write('He is angry', { private: true });
    desk.chatwoot.write('We are sorry');
    await onceOnPhone('We are sorry');
    expect(await onPhone('He is angry')).toHaveLength(0);
  });
});

describe('failures', () => {
  it('[CW2.1] a message that Chatwoot took without saying so is there once', async () => {
    desk.chatwoot.faults.push(500, 'hang up', 'hang up when done');
    await desk.bobWrites({ text: 'Once' });
    expect(await onceInChatwoot('Once')).toMatchObject({ type: 0 });
  });

  it('[CW2.2] a webhook that comes twice sends one message', async () => {
    desk.chatwoot.webhooks = 'twice';
    desk.chatwoot.write('Said once');
    expect(await onceOnPhone('Said once')).toMatchObject({ out: false });
    desk.chatwoot.webhooks = 'once';
  });

  it('[CW2.3] a message whose webhook never came is sent', async () => {
    desk.chatwoot.webhooks = 'never';
    desk.chatwoot.write('Silent');
    expect(await onceOnPhone('Silent')).toMatchObject({ out: false });
    desk.chatwoot.webhooks = 'once';
  });

  it('[CW2.3] what is written while the bridge is away arrives when it is back', async () => {
    await desk.end('SIGTERM');
    await desk.bobWrites({ text: 'Are you there?' });
    const answer = desk.chatwoot.write('In a minute');
    await expect.poll(() => answer.status).toBe('failed');
    await desk.start();
    await onceInChatwoot('Are you there?');
    await onceOnPhone('In a minute');
  });

  it('[CW2.4] an agent is told why a message cannot be sent', async () => {
    await desk.phone('PATCH', `/accounts/${ann}`, { premium: false });
    await desk.phone('PATCH', `/accounts/${bob}`, { contactsOnly: true, contacts: [] });
    const message = desk.chatwoot.write('Hello?');
    await expect.poll(() => message.status).toBe('failed');
    expect(message.error).toContain('PRIVACY_PREMIUM_REQUIRED');
    await desk.phone('PATCH', `/accounts/${bob}`, { contactsOnly: false });
    desk.chatwoot.write('Hello again');
    await onceOnPhone('Hello again');
    expect(await onPhone('Hello?')).toHaveLength(0);
  });

  it('[CW2.5] webhooks that are not signed by Chatwoot, or long ago, are refused', async () => {
    const message = desk.chatwoot.messages.find(({ content }) => content === 'Hello again') as MessageRecord;
    expect(await desk.chatwoot.callWebhook(message, { secret: 'another secret of its own' })).toBe(401);
    expect(await desk.chatwoot.callWebhook(message, { timestamp: Math.floor(Date.now() / 1000) - 3600 })).toBe(401);
    expect(await desk.chatwoot.callWebhook(message)).toBe(200);
  });

  it('[CW2.6] another conversation is used from the agent’s first message in it', async () => {
    const [contact] = desk.chatwoot.contacts;
    if (contact === undefined) throw new Error('there is no contact');
    const conversation = desk.chatwoot.open(contact);
    desk.chatwoot.write('A new matter', { conversation: conversation.id });
    await onceOnPhone('A new matter');
    await desk.bobWrites({ text: 'Which one?' });
    expect((await onceInChatwoot('Which one?')).conversation).toBe(conversation.id);
  });
});
