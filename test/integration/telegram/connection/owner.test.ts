import { afterEach, describe, expect, it } from 'vitest';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { createTelegram } from '../../../../src/telegram/gramjs/telegram.ts';
import { recordingInto } from '../../../support/telegram/recording.ts';
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

  it.each(['login', 'record of updates'])(
    '[CL3.1] opens no connection if it gives the session up while its %s is read',
    async (what) => {
      scene = await openScene();
      await scene.loggedIn('one', '1001');
      await scene.telegram.close();
      let endReading: (() => void) | undefined;
      const read = async <T>(work: () => Promise<T>): Promise<T> => {
        const answer = await work();
        await new Promise<void>((resolve) => {
          endReading = resolve;
        });
        return answer;
      };
      const { options } = scene;
      const recording = recordingInto([]);
      scene.telegram = createTelegram(
        what === 'login'
          ? {
              ...options,
              loginStore: {
                ...options.loginStore,
                loadLogin: (id, parse) => read(() => options.loginStore.loadLogin(id, parse)),
              },
            }
          : {
              ...options,
              recording: {
                open: (...of) => ({ ...recording.open(...of), resume: () => read(() => Promise.resolve(undefined)) }),
              },
            },
      );
      const link = scene.link('one');
      link.connect(1);
      await until(() => endReading !== undefined);
      const { accepted } = scene.sandbox.protocol.stats();

      const closing = link.close();
      endReading?.();
      await closing;
      await scene.live(5_000);
      expect(scene.sandbox.protocol.stats()).toMatchObject({ accepted, connections: 0 });
    },
  );
});
