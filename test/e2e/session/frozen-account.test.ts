import { expect, it } from 'vitest';
import { useConnectedScene } from '../../support/e2e/connected-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';

/** An account that Telegram has frozen: what its callers and its operator are told. */

const log: string[] = [];
const on = useConnectedScene({ logTo: { write: (line) => void log.push(line) } });
const frozen = (isFrozen: boolean): Promise<unknown> =>
  on.scene.sandbox.call('PATCH', `/accounts/${ann}`, { frozen: isFrozen });
const send = (): Promise<unknown> =>
  on.scene.request(on.caller, 'POST', '/message', { user: bob, type: 'text', text: 'hello' });

it('[ER3.6] stays connected and can read; that it cannot send is in the log and in the audit, once', async () => {
  await frozen(true);
  const message = '420: FROZEN_METHOD_INVALID (caused by messages.SendMessage)';
  for (let time = 0; time < 3; time += 1) {
    expect(await send()).toMatchObject({ status: 500, body: { statusCode: 500, message } });
  }
  expect(await on.scene.read(on.caller)).toMatchObject({ isConnected: true });
  expect(await on.scene.request(on.caller, 'GET', '/group')).toMatchObject({ status: 200 });
  const { body } = await on.scene.request<{ docs: { type: string; data: unknown }[] }>(
    on.caller,
    'GET',
    '/session/events',
  );
  const recorded = body.docs.filter(({ type }) => type === 'AccountFrozen');
  expect(recorded).toMatchObject([{ state: 'connected', data: { reason: 'FROZEN_METHOD_INVALID' } }]);
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ msg }) => msg === 'telegram has frozen the account')).toMatchObject([
    { level: 50, session: on.caller.id, request: 'messages.SendMessage' },
  ]);
  await frozen(false);
  expect(await send()).toMatchObject({ status: 200 });
});
