import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { useChatsScene } from '../support/browser/chats-scene.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { ann, bob } from '../support/e2e/scene.ts';

/** What the owner does to messages in the console, seen from the other side's phone. */

const bubble = (page: Page, text: string) => page.locator('.message', { hasText: text });

describe.skipIf(!hasChromium)('acting on messages in the console', () => {
  const on = useChatsScene();
  const { write, phone, seen, openChats, openChat } = on;

  const actions = async (page: Page, text: string) => {
    await bubble(page, text).hover();
    await bubble(page, text)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    return bubble(page, text).getByRole('group', { name: 'Actions' });
  };
  const unread = async (): Promise<number | undefined> => {
    const chats = await on.scene.sandbox.call<{ peer: string; unread: number }[]>('GET', `/accounts/${ann}/chats`);
    return chats.find(({ peer }) => peer === bob)?.unread;
  };

  it('[CO6.6] reacts, and takes the reaction back', async () => {
    await write(bob, ann, { text: 'Done!' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await (await actions(page, 'Done!')).getByRole('button', { name: 'React: heart' }).click();
    const chip = bubble(page, 'Done!').locator('.reactions').getByRole('button', { pressed: true });
    await seen(chip.waitFor());
    expect((await phone(bob, ann))[0]?.reactions).toEqual([{ reaction: '❤', count: 1, own: false }]);
    await chip.click();
    await seen(chip.waitFor({ state: 'detached' }));
    expect((await phone(bob, ann))[0]?.reactions).toEqual([]);
  });

  it('[CO6.6] edits an own message, and what was being written stays', async () => {
    await write(ann, bob, { text: 'At seven' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    const box = page.getByLabel('Message', { exact: true });
    await box.fill('half a thought');
    await (await actions(page, 'At seven')).getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => box.inputValue()).toBe('At seven');
    await box.fill('At eight');
    await box.press('Enter');
    await seen(bubble(page, 'At eight').getByText('edited').waitFor());
    await expect.poll(() => box.inputValue()).toBe('half a thought');
    expect((await phone(bob, ann))[0]?.text).toBe('At eight');
    expect(await (await actions(page, 'And the tea.')).getByRole('button', { name: 'Edit' }).count()).toBe(0);
  });

  it('[CO6.2] [CO6.6] shows formatting, and an edit keeps that of what stays', async () => {
    const text = 'The <b>train</b> leaves <i>at seven</i> <tg-spoiler>or never</tg-spoiler>';
    const body = { user: bob, type: 'text', text, parseMode: 'html' };
    await seen(on.scene.request(on.caller, 'POST', '/message', body));
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    const message = bubble(page, 'The train leaves');
    await seen(message.waitFor());
    expect(await message.locator('strong').innerText()).toBe('train');
    expect(await axeAudit(page, 'chats-formatting')).toEqual([]);
    await message.getByRole('button', { name: 'Show the hidden text' }).click();
    expect(await message.getByText('or never').isVisible()).toBe(true);
    await (await actions(page, 'The train leaves')).getByRole('button', { name: 'Edit' }).click();
    const box = page.getByLabel('Message', { exact: true });
    await expect.poll(() => box.inputValue()).toBe('The train leaves at seven or never');
    await box.fill('The last train leaves at seven or never');
    await box.fill('The last train leaves at seven');
    await box.press('Enter');
    await seen(bubble(page, 'The last train').getByText('edited').waitFor());
    const [newest] = await on.scene.sandbox.call<{ entities: object[] }[]>(
      'GET',
      `/accounts/${bob}/messages?peer=${ann}&limit=1`,
    );
    expect(newest).toMatchObject({
      text: 'The last train leaves at seven',
      entities: [
        { _: 'messageEntityBold', offset: 9, length: 5 },
        { _: 'messageEntityItalic', offset: 22, length: 8 },
      ],
    });
  });

  it('[CO6.6] deletes for the account, or for everyone', async () => {
    await write(ann, bob, { text: 'only here' });
    await write(ann, bob, { text: 'nowhere' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await (await actions(page, 'nowhere')).getByRole('button', { name: 'Delete' }).click();
    expect(await axeAudit(page, 'chats-delete')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await bubble(page, 'nowhere').count()).toBe(1);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for everyone' }).click();
    await seen(bubble(page, 'nowhere').waitFor({ state: 'detached' }));
    await (await actions(page, 'only here')).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete for this account' }).click();
    await seen(bubble(page, 'only here').waitFor({ state: 'detached' }));
    expect((await phone(bob, ann)).map(({ text }) => text)).toEqual(expect.arrayContaining(['only here']));
    expect((await phone(bob, ann)).map(({ text }) => text)).not.toContain('nowhere');
  });

  it('[CO6.6] shows below a message why something was refused', async () => {
    await write(bob, ann, { text: 'Done!' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    const fault = { method: 'messages.sendReaction', error: 'REACTIONS_TOO_MANY', times: 1 };
    await on.scene.sandbox.call('POST', '/faults', fault);
    await (await actions(page, 'Done!')).getByRole('button', { name: 'React: heart' }).click();
    await seen(bubble(page, 'Done!').getByText('REACTIONS_TOO_MANY').waitFor());
    expect(on.takeProblems().filter((text) => !text.includes('status of'))).toEqual([]);
  });

  it('[CO6.6] marks as read what is in view, when the page is visible', async () => {
    for (let line = 1; line <= 20; line += 1) await write(bob, ann, { text: `line ${line}.` });
    const page = await openChats();
    const row = page.locator('.chat-row', { hasText: 'Bob Stone' });
    expect(await row.locator('.unread').count()).toBe(1);
    await openChat(page, 'Bob Stone');
    await seen(row.locator('.unread').waitFor({ state: 'detached' }));
    await seen(expect.poll(unread).toBe(0));
    const setVisibility = (state: string): Promise<unknown> =>
      page.evaluate(`{
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await page.evaluate('document.querySelector(".messages").scrollTo(0, -1e6)');
    await write(bob, ann, { text: 'below what is in view' });
    await seen(bubble(page, 'below what is in view').waitFor());
    expect(await unread()).toBe(1);
    await setVisibility('hidden');
    await page.evaluate('document.querySelector(".messages").scrollTo(0, 0)');
    expect(await unread()).toBe(1);
    await setVisibility('visible');
    await seen(expect.poll(unread).toBe(0));
  });
});
