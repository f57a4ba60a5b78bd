import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { useChatsScene } from '../support/browser/chats-scene.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { ann, bob } from '../support/e2e/scene.ts';
import { makeForum } from '../support/sandbox/forum.ts';

/** Buttons of bots, polls, pins and a chat's settings in the console, seen from the other side. */

const makers = '-1003001';
const bot = '1004';
const bubble = (page: Page, text: string) => page.locator('.message', { hasText: text });

interface Row {
  media: { votes?: number[] } | null;
}
describe.skipIf(!hasChromium)('tools of a chat in the console', () => {
  const on = useChatsScene();
  const { write, seen, openChats, openChat } = on;
  const rows = (userId: string, peer: string): Promise<Row[]> =>
    on.scene.sandbox.call('GET', `/accounts/${userId}/messages?peer=${peer}&limit=10`);

  it("[CO6.7] presses a bot's buttons, and shows what the bot says", async () => {
    await write(ann, bot, { text: '/buttons' });
    const page = await openChats();
    await openChat(page, 'Helper');
    const message = page.locator('.message:has(.bot-buttons)').last();
    const buttons = message.locator('button.bot-button');
    await seen(buttons.first().click());
    await seen(message.getByText('This is an alert.').waitFor());
    await seen(buttons.nth(1).click());
    await seen(message.getByText('This is a notice.').waitFor());
    expect(await axeAudit(page, 'chats-buttons')).toEqual([]);
  });

  it('[CO6.7] votes in a poll, and takes the vote back', async () => {
    await write(bob, makers, { media: { kind: 'poll', question: 'When?', options: ['At 8', 'At 9', 'Never'] } });
    const votes = async (): Promise<unknown> => (await rows(bob, makers))[0]?.media?.votes;
    const page = await openChats();
    await openChat(page, 'Makers');
    const poll = bubble(page, 'When?');
    await seen(poll.getByRole('button', { name: 'Vote for At 9' }).click());
    await seen(poll.getByText('Voted.').waitFor());
    expect(await votes()).toEqual([0, 1, 0]);
    await seen(poll.getByRole('button', { name: 'Take the vote back' }).click());
    await seen(poll.getByText('The vote is taken back.').waitFor());
    expect(await votes()).toEqual([0, 0, 0]);
    expect(await axeAudit(page, 'chats-poll')).toEqual([]);
  });

  it('[CO6.2] [CO6.7] shows how a poll stands once the account has voted, and takes several answers', async () => {
    await write(bob, makers, { media: { kind: 'poll', question: 'Which?', options: ['Tea', 'Cake', 'Milk'] } });
    const { polls } = on.scene.telegram.world.tables;
    for (const row of polls.values()) polls.put({ ...row, multipleChoice: true });
    const page = await openChats();
    await openChat(page, 'Makers');
    const poll = bubble(page, 'Which?');
    await poll.getByLabel('Tea').check();
    await poll.getByLabel('Cake').check();
    await seen(poll.getByRole('button', { name: 'Vote', exact: true }).click());
    await seen(poll.getByText('Tea (chosen)').waitFor());
    const answers = await poll.locator('.answer').allInnerTexts();
    expect(answers.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'Tea (chosen) 100 %',
      'Cake (chosen) 100 %',
      'Milk 0 %',
    ]);
    expect(await poll.getByText('1 vote').count()).toBe(1);
    expect(await axeAudit(page, 'chats-poll-voted')).toEqual([]);
  });

  it('[CO6.7] forwards a message to a chat that is found by its name', async () => {
    await write(bob, ann, { text: 'The address' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await bubble(page, 'The address').hover();
    await bubble(page, 'The address')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await bubble(page, 'The address').getByRole('button', { name: 'Forward', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByRole('button', { name: 'Makers' }).waitFor());
    expect(await axeAudit(page, 'chats-forward')).toEqual([]);
    await dialog.getByLabel('Chat').fill('mak');
    expect(await dialog.getByRole('listitem').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Makers' }).click();
    await seen(bubble(page, 'The address').getByText('Forwarded to Makers.').waitFor());
    const [newest] = await on.scene.sandbox.call<{ text: string; forwarded: string | null }[]>(
      'GET',
      `/accounts/${bob}/messages?peer=${makers}&limit=1`,
    );
    expect(newest).toMatchObject({ text: 'The address' });
    expect(newest?.forwarded).not.toBeNull();
  });

  it('[CO6.8] shows the topics of a forum, and writes into the open one', async () => {
    const { id, topics } = await makeForum(on.scene);
    const [first = 0, second = 0] = topics;
    for (const [topic, text] of [
      [first, 'in the first'],
      [second, 'in the second'],
    ] as const) {
      await seen(
        on.scene.request(on.caller, 'POST', '/message', { group: id, topic: String(topic), type: 'text', text }),
      );
    }
    const page = await openChats();
    await page.evaluate(`location.hash = '#/sessions/${on.caller.id}/chats/${id}'`);
    await seen(bubble(page, 'in the second').waitFor());
    await seen(page.getByLabel('Topic').locator(`option[value="${first}"]`).waitFor({ state: 'attached' }));
    await page.getByLabel('Topic').selectOption(String(first));
    await seen(bubble(page, 'in the second').waitFor({ state: 'detached' }));
    await seen(bubble(page, 'in the first').waitFor());
    expect(await axeAudit(page, 'chats-topic')).toEqual([]);
    await page.getByLabel('Message', { exact: true }).fill('from the console');
    await page.keyboard.press('Enter');
    await seen(bubble(page, 'from the console').waitFor());
    const { body } = await on.scene.request<{ docs: { text: string; topic: string }[] }>(
      on.caller,
      'GET',
      `/chat/message?chatId=${id}&limit=1`,
    );
    expect(body.docs[0]).toMatchObject({ text: 'from the console', topic: String(first) });
  });

  it('[CO6.7] pins a message, and changes the settings of the chat', async () => {
    await write(bob, ann, { text: 'The address' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await bubble(page, 'The address').hover();
    await bubble(page, 'The address')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await seen(bubble(page, 'The address').getByRole('button', { name: 'Pin', exact: true }).click());
    await seen(bubble(page, 'The address').getByText('Pinned for all.').waitFor());
    await page.getByRole('button', { name: 'Settings' }).click();
    const settings = page.getByRole('group', { name: /^Settings of/ });
    for (const name of ['Pinned', 'Muted', 'Archived']) {
      await seen(settings.getByRole('button', { name, pressed: false }).click());
      await seen(settings.getByRole('button', { name, pressed: true }).waitFor());
    }
    expect(await axeAudit(page, 'chats-settings')).toEqual([]);
    const { body } = await on.scene.request(on.caller, 'GET', `/chat/${bob}`);
    expect(body).toMatchObject({ muted: true, archived: true });
    await seen(settings.getByRole('button', { name: 'Muted', pressed: true }).click());
    await seen(settings.getByRole('button', { name: 'Muted', pressed: false }).waitFor());
  });
});
