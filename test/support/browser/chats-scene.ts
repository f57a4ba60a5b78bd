import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { ann, type Caller, openScene, type Scene } from '../e2e/scene.ts';
import { createGate } from '../kit/gate.ts';
import { useConsoleBrowser } from './console-browser.ts';
import { pumpTime } from './pump-time.ts';

/** A message as the phone of the sandbox shows it. */
interface PhoneMessage {
  id: number;
  text: string;
  out: boolean;
  replyTo: number | null;
  reactions: { reaction: string; count: number; own: boolean }[];
  media: { kind: string; name?: string; sha256?: string } | null;
}

/** Ann's session, connected, and its chats in the console. */
export interface ChatsScene {
  readonly scene: Scene;
  readonly caller: Caller;
  /** Removes and returns the problems that the tabs have reported so far. */
  readonly takeProblems: () => string[];
  /** Somebody writes from their phone. @returns the ID that the message has for them */
  readonly write: (from: string, peer: string, content: object) => Promise<number>;
  /** The newest messages of a chat as an account has them on its phone. */
  readonly phone: (userId: string, peer: string) => Promise<PhoneMessage[]>;
  /** Opens the session's chats as its owner, 1,280 pixels wide. */
  readonly openChats: () => Promise<Page>;
  readonly openChat: (page: Page, name: string) => Promise<void>;
  /** Waits until a picture has arrived and is drawn. */
  readonly drawn: (page: Page, selector: string) => Promise<void>;
  /** Holds the page's requests of a URL until the returned function is called. */
  readonly hold: (page: Page, url: RegExp) => Promise<() => void>;
  /** Waits for something on the page, while what is due in the gateway runs. */
  readonly seen: <T>(work: Promise<T>) => Promise<T>;
}

/** Links to media that the gateway makes have this address: the page must reach them at its own one all the same. */
const publicUrl = 'https://gateway.example';

/** Opens a scene for the tests of a file; each of them starts with the seeded world and another session. */
export function useChatsScene(): ChatsScene {
  let scene: Scene;
  let caller: Caller;
  beforeAll(async () => {
    scene = await openScene({ environment: { PUBLIC_URL: publicUrl, ALLOW_PRIVATE_URLS: 'true' } });
  });
  // Hooks run in reverse order: the tabs close first, so that they send no request to a closed gateway.
  afterAll(() => scene?.close());
  const browser = useConsoleBrowser();
  beforeEach(async () => {
    await scene.sandbox.call('POST', '/reset');
    caller = await scene.connected(ann);
  });
  const on: ChatsScene = {
    get scene() {
      return scene;
    },
    get caller() {
      return caller;
    },
    takeProblems: () => browser.takeProblems(),
    async write(from, peer, content) {
      const body = { peer, ...content };
      const sent = await scene.sandbox.call<{ messageId: string }>('POST', `/accounts/${from}/messages`, body);
      return Number(sent.messageId);
    },
    phone: (userId, peer) => scene.sandbox.call('GET', `/accounts/${userId}/messages?peer=${peer}&limit=10`),
    async openChats() {
      const page = await browser.open(scene.gateway.url, scene.sandbox.url);
      await page.setViewportSize({ width: 1280, height: 860 });
      await page.locator(`a[href="#/sessions/${caller.id}"]`).click();
      await page.getByLabel('sessionId').fill(caller.sessionId);
      await page.keyboard.press('Enter');
      await on.seen(page.getByRole('link', { name: 'Chats', exact: true }).click());
      await on.seen(page.locator('.chat-row').first().waitFor());
      return page;
    },
    async openChat(page, name) {
      const title = page.locator('.chat-title', { hasText: new RegExp(`^${name}`) });
      await page.locator('.chat-row').filter({ has: title }).click();
      await on.seen(page.locator('.message').first().waitFor());
    },
    async drawn(page, selector) {
      const width = `document.querySelector(${JSON.stringify(selector)})?.naturalWidth ?? 0`;
      await on.seen(expect.poll(() => page.evaluate<number>(width), { timeout: 30_000 }).toBeGreaterThan(0));
    },
    async hold(page, url) {
      const gate = createGate();
      await page.route(url, async (route) => {
        await gate.passed;
        await route.continue();
      });
      return () => gate.open();
    },
    seen: (work) => pumpTime(scene, work),
  };
  return on;
}
