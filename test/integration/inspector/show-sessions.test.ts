import { afterEach, beforeEach, expect, it } from 'vitest';
import { showAllSessions } from '../../../src/inspector/show-sessions.ts';
import { linkFact } from '../../support/actors/scripted-link.ts';
import { startTestApp, type TestApp } from '../../support/gateway/http-app.ts';
import { asMessage, inShort } from '../../support/inspector/inspector-messages.ts';
import { allReadable } from '../../support/store/all-readable.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

it('[IN2.1] what happens between the first look and the last is shown once', async () => {
  const [early, ended] = [await gate.session(), await gate.session()];
  const { position } = gate.views;
  // From here on it has all happened before the sessions are gone through, and comes again afterwards.
  await gate.connect(early);
  await gate.call('DELETE', '/session', { headers: ended });
  const created = await gate.session();
  const deletedUnseen = await gate.session();
  const listed = gate.views.list({ limit: 10 });
  await gate.call('DELETE', '/session', { headers: deletedUnseen });

  const shown: string[] = [];
  const leaving = new AbortController();
  const views = { position, get: () => undefined, list: () => listed, onChange: () => () => {} };
  const showing = showAllSessions(
    { store: gate.store, views, reportUnreadable: allReadable },
    {
      signal: leaving.signal,
      send: async (event) => void shown.push(`${event.sessionId} ${inShort(asMessage(event))}`),
    },
  );
  await gate.clock.settle();
  await gate.links.of(early.id).report(linkFact('ConnectionLost', 1));
  await gate.clock.settle();
  leaving.abort();
  await expect(showing).rejects.toThrow('aborted');
  expect(shown.toSorted()).toEqual(
    [
      `${early.id} actor connected`,
      `${early.id} ConnectionLost 3`,
      `${early.id} → disconnected`,
      `${created.id} actor qrPending`,
      // Made and gone while nobody looked: its own story, from the beginning.
      `${deletedUnseen.id} actor qrPending`,
      `${deletedUnseen.id} SessionCreated 1`,
      `${deletedUnseen.id} → qrPending`,
      `${deletedUnseen.id} SessionDeleted 2`,
      `${deletedUnseen.id} → deleted`,
    ].toSorted(),
  );
});

it('[IN2.1] says so where the sessions cannot be read any more', async () => {
  const broken = new Error('the store is gone');
  const store = {
    read: (...asked: Parameters<typeof gate.store.read>) => gate.store.read(...asked),
    subscribeAll: ({ onError }: { onError?: (error: unknown) => void }) => {
      queueMicrotask(() => onError?.(broken));
      return { stop: () => Promise.resolve() };
    },
  };
  const viewer = { signal: new AbortController().signal, send: () => Promise.resolve() };
  await expect(showAllSessions({ store, views: gate.views, reportUnreadable: allReadable }, viewer)).rejects.toBe(
    broken,
  );
});
