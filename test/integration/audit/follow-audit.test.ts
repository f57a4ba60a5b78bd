import { expect, it } from 'vitest';
import type { SessionView } from '../../../projections/session-view.ts';
import { followAudit } from '../../../src/audit/follow-audit.ts';
import { linkFact } from '../../support/actors/scripted-link.ts';
import { startTestApp } from '../../support/gateway/http-app.ts';
import { allReadable } from '../../support/store/all-readable.ts';

it('[AD3.4] an event is there once the view has it', async () => {
  const gate = await startTestApp();
  const { id } = await gate.session();
  await gate.links.of(id).report(linkFact('LoggedIn', 1));
  await gate.clock.settle();
  const view = gate.views.get(id) as SessionView;
  expect(view.revision).toBeGreaterThan(0);
  let revision = view.revision - 1;
  let changed = (): void => {};
  const views = {
    get: () => ({ ...view, revision }),
    onChange: (_id: string, listener: () => void) => {
      changed = listener;
      return () => {};
    },
  };
  const stop = new AbortController();
  const events = followAudit({ store: gate.store, reportUnreadable: allReadable, views }, id, 0, stop.signal);
  for (let seen = 0; seen < view.revision; seen += 1) {
    expect((await events.next()).value).toMatchObject({ revision: seen });
  }
  let isThere = false;
  const last = events.next().then((found) => {
    isThere = true;
    return found;
  });
  // Another event of the session, and not yet this one.
  changed();
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(isThere).toBe(false);
  revision += 1;
  changed();
  expect((await last).value).toMatchObject({ revision });
  stop.abort(new Error('enough'));
  await gate.close();
});
