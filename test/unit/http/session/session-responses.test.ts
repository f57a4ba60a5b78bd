import { expect, it } from 'vitest';
import type { SessionView } from '../../../../projections/session-view.ts';
import { SessionResponses } from '../../../../src/http/session/session-responses.ts';

const view: SessionView = {
  id: '019ac5a0-0000-7000-8000-000000000001',
  secretHash: '00',
  state: 'connected',
  ended: false,
  login: 1,
  since: 0,
  reason: '',
  created: 0,
  revision: 1,
  position: 1n,
};

it('[speed-up] a response is made once for a view, and keeps no more memory than its own bytes', async () => {
  const sealer = { open: () => Promise.resolve('') };
  const responses = new SessionResponses({ sealer, views: { picture: () => undefined } });
  const response = await responses.json(view, 'secret');
  expect(JSON.parse(response.toString())).toMatchObject({ id: view.id, sessionId: 'secret', isConnected: true });
  expect(response.buffer.byteLength).toBe(response.length);
  expect(responses.json(view, 'secret')).toBe(response);
});
