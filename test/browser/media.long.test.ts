import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../support/browser/chromium.ts';
import { daily, useViewing } from '../support/e2e/viewing-scene.ts';

/** Media links in a real browser. `MEDIA_SCREENSHOTS` names a folder for screenshots. */

/** https://html.spec.whatwg.org/multipage/media.html#dom-media-have_current_data */
const haveCurrentData = 2;

/** The part of `HTMLVideoElement` that the tests use. */
interface Video {
  currentTime: number;
  duration: number;
  videoWidth: number;
  error: unknown;
  play(): Promise<void>;
  addEventListener(type: string, listener: () => void, options: { once: true }): void;
}

describe.skipIf(!hasChromium)('media links in a browser', () => {
  const viewing = useViewing();
  let browser: Browser;
  let page: Page;
  /** The statuses of the page's requests, and the ranges that they asked for. */
  let responses: { status: number; range: string | undefined }[];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    page.setDefaultTimeout(60_000);
    responses = [];
    page.on('response', (response) => {
      responses.push({ status: response.status(), range: response.request().headers()['range'] });
    });
  });
  afterEach(() => page.close());

  const url = (...link: Parameters<typeof viewing.path>): string => viewing.scene.gateway.url + viewing.path(...link);

  const screenshot = async (name: string): Promise<void> => {
    const folder = process.env['MEDIA_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };

  it('[ME3.1] a video plays, and continues where it is sought', async () => {
    await page.setContent(`<video muted controls width="800" src="${url(daily, 210, 'file', 'mp4')}"></video>`);
    const video = page.locator('video');
    const played = await video.evaluate(async (element) => {
      const player = element as unknown as Video;
      const next = (type: string): Promise<void> =>
        new Promise((resolve) => player.addEventListener(type, resolve, { once: true }));
      await player.play();
      while (player.currentTime < 0.3) await next('timeupdate');
      const { duration, videoWidth } = player;
      const sought = next('seeked');
      player.currentTime = duration * 0.8;
      await sought;
      while (player.currentTime < duration * 0.8 + 0.2) await next('timeupdate');
      return { duration, videoWidth, at: player.currentTime, error: player.error };
    });
    await screenshot('video');
    expect(played).toMatchObject({ error: null });
    expect(played.videoWidth).toBeGreaterThan(100);
    expect(played.at).toBeGreaterThan(played.duration * 0.8);
    expect(responses.length).toBeGreaterThan(0);
    expect(responses.every(({ status, range }) => status === 206 && range?.startsWith('bytes='))).toBe(true);
  });

  it('[ME3.3] a photo is shown in a page and by itself', async () => {
    const link = url(daily, 200, 'photo');
    await page.setContent(`<img alt="" width="800" src="${link}">`);
    const width = await page.locator('img').evaluate(async (element) => {
      const image = element as unknown as { naturalWidth: number; decode(): Promise<void> };
      await image.decode();
      return image.naturalWidth;
    });
    await screenshot('photo');
    expect(width).toBe(2560);
    const response = await page.goto(link);
    expect(response?.status()).toBe(200);
    await screenshot('photo-alone');
    await expect.poll(() => page.locator('img').count()).toBe(1);
  });

  it('[ME3.3] a video plays by itself, and a document is downloaded', async () => {
    await page.goto(url(daily, 210, 'file', 'mp4'));
    // The page's policy allows no scripts, so it is polled from outside.
    const ready = (): Promise<number> =>
      page.locator('video').evaluate((element) => (element as unknown as { readyState: number }).readyState);
    while ((await ready()) < haveCurrentData) await page.waitForTimeout(50);
    await screenshot('video-alone');
    const { id, media } = await viewing.newest(daily, 'document');
    const download = page.waitForEvent('download');
    await page.goto(url(daily, id, 'file', 'pdf')).catch(() => undefined);
    expect((await download).suggestedFilename()).toBe(media.name);
  });
});
