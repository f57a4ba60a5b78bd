import { describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { useChatsScene } from '../support/browser/chats-scene.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { ann, bob } from '../support/e2e/scene.ts';

/** The list of chats and a conversation in the console, against a real gateway and the sandbox. */

const cara = '1003';
const family = '-2001';
const helper = '1004';

describe.skipIf(!hasChromium)('the chats in the console', () => {
  const on = useChatsScene();
  const { write, seen, drawn, phone, openChats, openChat } = on;
  const control = (method: string, path: string, body?: object) => on.scene.sandbox.call(method, path, body);

  it('[CO6.2] [CO2.1] [CO5.1] shows every kind of message, wide and narrow, light and dark', async () => {
    await write(bob, ann, { media: { kind: 'voice' } });
    await write(bob, ann, { media: { kind: 'audio' } });
    await write(bob, ann, { media: { kind: 'video' }, text: 'The old vice still turns' });
    await write(bob, ann, { media: { kind: 'document', name: 'plan.pdf' } });
    await write(bob, ann, { media: { kind: 'contact' } });
    await write(bob, ann, { media: { kind: 'venue', title: 'Workshop', address: 'Mill Lane 3' } });
    const asked = await write(bob, ann, { media: { kind: 'photo' }, text: 'The bench is ready. Does it fit?' });
    await write(ann, bob, { text: 'It fits. I come at eight.' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    const bubble = (text: string | RegExp) => page.locator('.message', { hasText: text });
    expect(await page.locator('audio').count()).toBe(2);
    expect(await page.locator('video').getAttribute('poster')).toMatch(`${on.scene.gateway.url}/media/`);
    await bubble('plan.pdf').getByRole('link').waitFor();
    await bubble('Mill Lane 3').getByRole('link').waitFor();
    await bubble('Somebody').waitFor();
    await drawn(page, '.bubble.image img');
    await page.locator('.message.mine', { hasText: 'It fits.' }).waitFor();
    await control('PUT', `/accounts/${bob}/messages/${ann}/${asked}/reaction`, { reaction: '❤' });
    await control('PATCH', `/accounts/${bob}/messages/${ann}/${asked}`, {
      text: 'The bench is ready. Does it fit now?',
    });
    await seen(bubble('fit now?').getByText('edited').waitFor());
    await seen(bubble('fit now?').locator('.reactions').getByText('1').waitFor());
    expect(await axeAudit(page, 'chats')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('.chat-list').isVisible()).toBe(false);
    expect(await axeAudit(page, 'chats-mobile')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('link', { name: 'All chats' }).click();
    await page.locator('.chat-row').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('[CO6.1] lists the chats with their last message, and the archive apart', async () => {
    await write(bob, ann, { text: 'See you at eight' });
    await control('PUT', `/accounts/${ann}/chats/${cara}`, { folder: 1 });
    const page = await openChats();
    const first = page.locator('.chat-row').first();
    expect(await first.innerText()).toMatch(/Bob Stone[^]*See you at eight[^]*\d+\s*unread/);
    await seen(first.locator('img').waitFor());
    await drawn(page, '.chat-row img');
    await page.locator('.chat-row', { hasText: 'Bob: Then I cook.' }).waitFor();
    expect(await page.locator('.chat-row', { hasText: 'Cara' }).filter({ hasText: 'Saved' }).count()).toBe(0);
    await page.getByText('Archive', { exact: true }).click();
    await seen(page.locator('.chat-row', { hasText: 'You: Saved, thank you!' }).waitFor());
    expect(await page.locator('.chat-row').count()).toBe(1);
  });

  it('[CO6.1] loads further chats when their end is scrolled into view', async () => {
    await control('POST', `/accounts/${ann}/groups`, { count: 60, kind: 'supergroup' });
    const page = await openChats();
    expect(await page.locator('.chat-row').count()).toBe(50);
    await page.locator('.chat-row').last().scrollIntoViewIfNeeded();
    await seen(page.locator('.chat-row').nth(70).waitFor());
    const links = await page.locator('.chat-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('href')));
    expect(new Set(links).size).toBe(links.length);
  });

  it('[CO6.2] shows members, replies, polls, stickers and a bot’s buttons', async () => {
    await write(cara, family, { text: 'Who cooks?' });
    const [asked] = await phone(bob, family);
    await write(bob, family, { text: 'Still me', replyTo: asked?.id });
    await write(bob, family, { media: { kind: 'poll', question: 'Tea?', options: ['Green', 'Black'] } });
    await write(cara, family, { media: { kind: 'sticker' } });
    const page = await openChats();
    await openChat(page, 'Family');
    const reply = page.locator('.message', { hasText: 'Still me' });
    expect(await reply.locator('.sender').innerText()).toContain('Bob Stone');
    expect(await reply.locator('blockquote').innerText()).toMatch(/Cara[^]*Who cooks\?/);
    expect(await page.locator('.poll li').allInnerTexts()).toEqual(['Green', 'Black']);
    await drawn(page, 'img.sticker');
    const days = await page.locator('.day-name').allInnerTexts();
    expect([days.length, days[0], days.at(-1)]).toEqual([2, 'Thursday 8 January 2026', 'Today']);
    expect(await axeAudit(page, 'chats-group')).toEqual([]);
    await write(ann, helper, { text: '/buttons' });
    await openChat(page, 'Helper');
    await seen(page.locator('.bot-button').first().waitFor());
    expect(await axeAudit(page, 'chats-bot')).toEqual([]);
  });

  it('[CO6.2] loads older messages when it is scrolled up, and keeps its place', async () => {
    const page = await openChats();
    await openChat(page, 'Daily');
    const count = await page.locator('.message').count();
    const id = await page.locator('.message').first().getAttribute('data-message-id');
    const known = page.locator(`[data-message-id="${id}"]`);
    const letThrough = await on.hold(page, /before=\d/);
    await page.evaluate('document.querySelector(".messages").scrollTo(0, -1e6)');
    const before = await known.boundingBox();
    letThrough();
    await seen(
      page
        .locator('.message')
        .nth(count + 1)
        .waitFor(),
    );
    expect(await known.boundingBox()).toEqual(before);
    const ids = await page
      .locator('.message')
      .evaluateAll((all) =>
        all.map((one) => Number((one as unknown as { dataset: { messageId: string } }).dataset.messageId)),
      );
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
  });

  it('[CO6.2] what is read stays in view when new messages come', async () => {
    for (let line = 1; line <= 20; line += 1) await write(bob, ann, { text: `line ${line}` });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.evaluate('document.querySelector(".messages").scrollTo(0, -200)');
    const read = page.locator('.message', { hasText: 'line 15' });
    const before = await read.boundingBox();
    await write(bob, ann, { text: 'new\nin\nfour\nlines' });
    await seen(page.locator('.message', { hasText: 'four' }).waitFor());
    expect(await read.boundingBox()).toEqual(before);
    await write(ann, bob, { text: 'an answer' });
    await seen(page.locator('.message', { hasText: 'an answer' }).waitFor());
    expect(await page.evaluate('document.querySelector(".messages").scrollTop')).toBe(0);
  });

  it('[CO6.2] nothing moves when a picture arrives', async () => {
    await write(bob, ann, { media: { kind: 'photo', width: 300, height: 900 }, text: 'tall' });
    await write(bob, ann, { text: 'below' });
    const page = await openChats();
    const letThrough = await on.hold(page, /\/(?:photo|thumb)\//);
    await openChat(page, 'Bob Stone');
    const places = () =>
      page
        .locator('.message')
        .evaluateAll((all) =>
          all.map((one) =>
            JSON.stringify((one as unknown as { getBoundingClientRect(): unknown }).getBoundingClientRect()),
          ),
        );
    const before = await places();
    letThrough();
    await drawn(page, '.bubble.image img');
    expect(await places()).toEqual(before);
  });

  it('[CO6.3] finds messages by their words', async () => {
    await write(bob, ann, { text: 'apples and pears' });
    await write(bob, ann, { text: 'only pears' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByLabel('Search in Bob Stone').fill('apples');
    await page.keyboard.press('Enter');
    const found = page.getByRole('region', { name: 'Messages found' });
    await seen(found.locator('.message').waitFor());
    expect(await found.locator('.message-text').allInnerTexts()).toEqual(['apples and pears']);
    expect(await axeAudit(page, 'chats-search')).toEqual([]);
    await page.getByLabel('Search in Bob Stone').fill('plums');
    await page.keyboard.press('Enter');
    await seen(page.getByText('No message has “plums”.').waitFor());
    await page.getByRole('button', { name: 'Close search' }).click();
    await page.locator('.message', { hasText: 'only pears' }).waitFor();
  });
});
