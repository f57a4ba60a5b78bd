import { afterEach, describe, expect, it } from 'vitest';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { anyTime, type Observed, openScene, type Scene, until } from '../../../support/telegram/scene.ts';

describe('a process that does not act for the session any more', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  const hasReported = (link: Observed, type: TelegramFact['type']): Promise<void> =>
    until(async () => {
      if (!link.facts.some((fact) => fact.type === type)) await scene.clock.advance(1_000);
      return link.facts.some((fact) => fact.type === type);
    });

  it('[CL3.1] writes nothing to Telegram and opens no connection, until it acts for the session again', async () => {
    let isOwner = true;
    scene = await openScene({ ownership: { owns: () => isOwner } });
    const link = await scene.loggedIn('one', '1001');
    const bob = await link.account().byUsername('bob', anyTime);
    const { accepted } = scene.sandbox.protocol.stats();

    isOwner = false;
    const message = { text: 'later', entities: [], randomId: 5n, begunAt: scene.clock.now() };
    const sent = link.account().sendText(bob, message, anyTime);
    sent.catch(() => undefined);
    await hasReported(link, 'ConnectionLost');
    expect(scene.sandbox.protocol.stats()).toMatchObject({ accepted });
    const seen = await scene.control<{ text: string }[]>('GET', '/accounts/1002/messages?peer=1001&limit=20');
    expect(seen.map(({ text }) => text)).not.toContain('later');

    isOwner = true;
    await hasReported(link, 'ConnectionRestored');
  });
});
