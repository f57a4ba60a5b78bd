import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/browser/chromium.ts';
import { usePhonePage } from '../../support/browser/phone-page.ts';
import { ann, bob, type Scene } from '../../support/e2e/scene.ts';
import { mtcuteClient } from '../../support/telegram-clients/mtcute.ts';

const jpeg = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#c63' } })
  .jpeg()
  .toBuffer();

/** What the sandbox's phone page can do besides scanning and writing, in a real browser. */
describe.skipIf(!hasChromium)('the phone page', () => {
  const phone = usePhonePage();
  let scene: Scene;
  let page: Page;
  beforeEach(async () => {
    ({ scene, page } = phone);
    await page.getByLabel('Account').selectOption(ann);
    await phone.open('Bob Stone');
  });

  interface Shown {
    id: number;
    text: string;
    replyTo: number | null;
    edited: string | null;
    reactions: { reaction: string }[];
    media: { kind: string } | null;
  }
  const messagesOfBob = () => scene.sandbox.call<Shown[]>('GET', `/accounts/${bob}/messages?peer=${ann}&limit=3`);
  const message = (text: string) => page.getByRole('listitem').filter({ hasText: text }).last();
  const act = async (text: string, action: RegExp) => {
    await message(text).hover();
    await message(text).getByRole('button', { name: action }).click();
  };
  const write = async (text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Bob Stone' }).getByText(text).waitFor();
  };

  it('[SM12.1] replies, reacts, edits and deletes', async () => {
    await act('And the tea.', /^Reply/);
    await page.getByText('Reply to: And the tea.').waitFor();
    await write('Of course');
    await act('Of course', /^React with 🔥/);
    await page.getByRole('button', { name: '🔥, 1, take back' }).waitFor();
    await act('Of course', /^Edit/);
    await write('Of course not');
    expect((await messagesOfBob())[0]).toMatchObject({
      text: 'Of course not',
      replyTo: expect.any(Number),
      edited: expect.any(String),
      reactions: [{ reaction: '🔥' }],
    });
    await page.getByRole('button', { name: '🔥, 1, take back' }).click();
    await page.getByRole('button', { name: '🔥, 1, take back' }).waitFor({ state: 'detached' });
    await act('Of course not', /^Delete/);
    await message('Of course not').waitFor({ state: 'detached' });
    expect((await messagesOfBob())[0]?.text).toBe('And the tea.');
  });

  it('[SM12.1] sends files and samples, and votes', async () => {
    await page.getByLabel('File').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: jpeg });
    await page.getByAltText('Photo, 90 by 160').waitFor();
    await page.getByLabel('Send a sample').selectOption('voice');
    await page.locator('#messages audio').waitFor();
    expect((await messagesOfBob()).map(({ media }) => media?.kind).slice(0, 2)).toEqual(['voice', 'photo']);
    await page.getByRole('navigation').getByRole('button', { name: 'Makers' }).click();
    await page.getByRole('heading', { name: 'Makers', exact: true }).waitFor();
    await page.getByLabel('Send a sample').selectOption('poll');
    await page.getByRole('button', { name: 'Perhaps' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Perhaps 1' }).first().waitFor();
  });

  it('[SM12.2] shows login codes and stories, and sets a password', async () => {
    const { publicKey, dcs } = await scene.sandbox.call<{ publicKey: string; dcs: { id: number; port: number }[] }>(
      'GET',
      '/connection',
    );
    const ports = new Map(dcs.map(({ id, port }) => [id, port]));
    const client = await mtcuteClient({ ports, publicKeyPem: publicKey });
    await client.sendCode({ phone: '15550000001' });
    const [code] = await scene.sandbox.call<{ code: string }[]>('GET', `/accounts/${ann}/codes`);
    await page.getByText(code?.code ?? 'no code', { exact: true }).waitFor();
    await client.signInQr({ onUrlUpdated: (link) => void scene.sandbox.scan(link, ann) });
    const media = { type: 'photo', file: jpeg } as const;
    await client.sendStory({ peer: 'me', media, caption: 'look', privacyRules: [{ _: 'inputPrivacyValueAllowAll' }] });
    await page.getByAltText('Story 1, photo').waitFor();
    await page.getByLabel('New password').fill('secret');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is set: new devices need it.').waitFor();
    expect(await page.getByText('two-step password set').count()).toBe(1);
    await client.destroy();
  });

  it('[SM12.3] has buttons for faults', async () => {
    const caller = await scene.connected(ann);
    await page.getByRole('button', { name: 'Flood wait' }).click();
    await page.getByText('The next text of Ann Lee gets FLOOD_WAIT_30.').waitFor();
    await page.getByRole('button', { name: 'Repair' }).click();
    await page.getByText('All faults are turned off.').waitFor();
    const text = { type: 'text', user: bob, text: 'Repaired' };
    expect(await scene.request(caller, 'POST', '/message', text)).toMatchObject({ status: 200 });
    await page.getByRole('button', { name: 'Cut connections' }).click();
    await page.getByText('The connections of Ann Lee were cut.').waitFor();
    await page.getByRole('button', { name: 'Remove all devices' }).click();
    await page.getByText('No devices are linked.').waitFor();
  });
});
