import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { useChatsScene } from '../support/browser/chats-scene.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useFiles } from '../support/e2e/file-server.ts';
import { ann, bob } from '../support/e2e/scene.ts';

/** What the owner writes in the console, seen from the other side's phone; and what arrives meanwhile. */

const isFocused = (element: { matches(selector: string): boolean }): boolean => element.matches(':focus');

describe.skipIf(!hasChromium)('writing in the console', () => {
  const files = useFiles();
  const on = useChatsScene();
  const { write, phone, seen, openChats, openChat } = on;

  it('[CO6.4] Enter sends, Shift and Enter begin a line', async () => {
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    const box = page.getByLabel('Message', { exact: true });
    await box.fill('First line');
    await box.press('Shift+Enter');
    await page.keyboard.type('second line');
    await box.press('Enter');
    await seen(page.locator('.message.mine', { hasText: 'second line' }).waitFor());
    expect(await box.inputValue()).toBe('');
    expect(await phone(bob, ann)).toMatchObject([
      { text: 'First line\nsecond line', out: false },
      { out: true },
      {},
      {},
      {},
    ]);
  });

  it('[CO6.4] [CO5.1] replies to a message that the arrow keys have chosen', async () => {
    await write(bob, ann, { text: 'Tea or coffee?' });
    await write(bob, ann, { text: 'And cake?' });
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.getByRole('button', { name: 'Actions for Bob Stone: And cake?' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Reply', exact: true }).evaluate(isFocused)).toBe(true);
    expect(await axeAudit(page, 'chats-actions')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: /Tea or coffee/ }).evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Reply to Bob Stone', { exact: true }).waitFor();
    expect(await axeAudit(page, 'chats-reply')).toEqual([]);
    await page.keyboard.type('Tea, please');
    await page.keyboard.press('Enter');
    const reply = page.locator('.message.mine', { hasText: 'Tea, please' });
    await seen(reply.waitFor());
    expect(await reply.locator('blockquote').innerText()).toContain('Tea or coffee?');
    const [newest, , asked] = await phone(bob, ann);
    expect([newest?.text, newest?.replyTo]).toEqual(['Tea, please', asked?.id]);
  });

  it('[CO6.4] sends a file by its URL, with a caption', async () => {
    const content = Buffer.from('The plan, in 31 bytes, no more.');
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.getByRole('button', { name: 'File' }).click();
    await page.getByLabel('File URL').fill(files.serve(content, 'plan.txt'));
    expect(await page.getByLabel('Send as').inputValue()).toBe('document');
    await page.getByLabel('Message', { exact: true }).fill('Here it is');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await seen(page.locator('.message.mine', { hasText: 'plan.txt' }).waitFor());
    expect((await phone(bob, ann))[0]).toMatchObject({
      text: 'Here it is',
      media: { kind: 'document', name: 'plan.txt', sha256: createHash('sha256').update(content).digest('hex') },
    });
  });

  it('[CO6.4] sends a file of the device', async () => {
    const content = Buffer.from('A plan of this device.');
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.getByRole('button', { name: 'File' }).click();
    await page
      .getByLabel('File of this device')
      .setInputFiles({ name: 'own plan.txt', mimeType: 'text/plain', buffer: content });
    expect(await page.getByLabel('Send as').inputValue()).toBe('document');
    expect(await axeAudit(page, 'chats-file')).toEqual([]);
    await page.getByLabel('Message', { exact: true }).fill('Mine');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await seen(page.locator('.message.mine', { hasText: 'own plan.txt' }).waitFor());
    expect((await phone(bob, ann))[0]).toMatchObject({
      text: 'Mine',
      media: { kind: 'document', name: 'own plan.txt', sha256: createHash('sha256').update(content).digest('hex') },
    });
  });

  it('[CO6.4] a send whose answer is lost is sent once, however often it is repeated', async () => {
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.route(
      (url) => url.pathname === '/message',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 2 },
    );
    const box = page.getByLabel('Message', { exact: true });
    await box.fill('Only once');
    for (let lost = 0; lost < 2; lost += 1) {
      const answer = page.waitForEvent('requestfailed');
      await box.press('Enter');
      await seen(answer);
      await seen(page.locator('.compose').getByText('does not respond').waitFor());
      expect(await box.inputValue()).toBe('Only once');
    }
    await box.press('Enter');
    await seen(page.locator('.message.mine', { hasText: 'Only once' }).waitFor());
    await expect.poll(() => box.inputValue()).toBe('');
    await box.fill('Only once');
    await box.press('Enter');
    await seen(page.locator('.message.mine', { hasText: 'Only once' }).nth(1).waitFor());
    const texts = (await phone(bob, ann)).map(({ text }) => text);
    expect(texts.filter((text) => text === 'Only once')).toHaveLength(2);
    expect(on.takeProblems().filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([]);
  });

  it('[CO6.4] shows why a message was refused, in the words of the API, where it was written', async () => {
    const page = await openChats();
    await openChat(page, 'Read only');
    const box = page.getByLabel('Message', { exact: true });
    await box.fill('May I?');
    await box.press('Enter');
    await seen(page.locator('.compose').getByText('CHAT_WRITE_FORBIDDEN').waitFor());
    expect(await box.inputValue()).toBe('May I?');
    expect(on.takeProblems().filter((text) => !text.includes('status of'))).toEqual([]);
    await openChat(page, 'Cara');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
    await openChat(page, 'Read only');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('May I?');
  });

  it('[CO6.5] new messages appear; it asks each 3 seconds at most, and not while it is hidden', async () => {
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await page.clock.install();
    await page.evaluate(`{
      const { fetch } = window;
      window.asked = [];
      window.fetch = (url, init) => {
        if (/\\/chat(?:\\?|\\/message)/.test(String(url))) window.asked.push(Date.now());
        return fetch(url, init);
      };
    }`);
    const asked = (): Promise<number[]> => page.evaluate('window.asked');
    const forget = (): Promise<unknown> => page.evaluate('window.asked.length = 0');
    // From here on the page's timers run on its driven clock: leaving the chats and coming back sets them anew.
    await page.locator('.chats-header').getByRole('link', { name: 'Session' }).click();
    await page.getByRole('link', { name: 'Chats', exact: true }).click();
    await openChat(page, 'Bob Stone');
    // What is loaded at once, whenever it comes, is not asked for again in turn.
    await seen(page.locator('.conversation .message').first().waitFor());
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 10_000);
    await write(bob, ann, { text: 'Are you there?' });
    await forget();
    const polled = async (count: number): Promise<void> => {
      while ((await asked()).length < count) await page.clock.runFor(1_000);
    };
    await seen(polled(7));
    await seen(page.locator('.message', { hasText: 'Are you there?' }).waitFor());
    const status = page.locator('.conversation > [role=status]');
    expect(await status.innerText()).toContain('Bob Stone: Are you there?');
    const times = await asked();
    const pauses = times.slice(1).map((time, place) => time - (times[place] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3_000);

    const setVisibility = (state: string): Promise<unknown> =>
      page.evaluate(`{
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await setVisibility('hidden');
    await forget();
    await seen(page.clock.runFor(60_000));
    expect(await asked()).toEqual([]);
    await setVisibility('visible');
    // At once; or, if an answer was on its way when the page was hidden, after a pause.
    await seen(polled(1));
    expect(await asked()).toHaveLength(1);
  });

  it('[CO6.5] says that the session is not connected, and goes on when it is', async () => {
    const page = await openChats();
    await openChat(page, 'Bob Stone');
    await on.scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await on.scene.sandbox.call('POST', '/network', { action: 'cut' });
    await on.scene.whilePassing(page.getByText('The session is not connected (Disconnected).').waitFor());
    await on.scene.sandbox.call('POST', '/network', { action: 'accept' });
    await on.scene.whilePassing(page.getByText('The session is not connected').waitFor({ state: 'detached' }));
    await seen(page.locator('.message').first().waitFor());
    expect(on.takeProblems().filter((text) => !text.includes('status of 500'))).toEqual([]);
  });
});
