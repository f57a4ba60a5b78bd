import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { type Unreadable, UnreadableEventError } from '../../../../actors/ports/event-codec.ts';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../../actors/ports/sealer.ts';
import { patienceMs } from '../../../../src/webhook/deliver/retry-schedule.ts';
import { settleDelivery } from '../../../../src/webhook/deliver/settle-delivery.ts';
import { type TryDeliveryDeps, tryDelivery } from '../../../../src/webhook/deliver/try-delivery.ts';
import { EndpointOf } from '../../../../src/webhook/deliver/webhook-endpoint.ts';
import type { ActiveWebhook } from '../../../../src/webhook/places/active-webhooks.ts';

const webhook: ActiveWebhook = {
  sessionId: 's1',
  slot: 1,
  since: 0,
  key: '0',
  webhook: { url: 'url' as Sealed, token: 'token' as Sealed },
  account: 'account' as Sealed,
  externalId: undefined,
};
const unreadable: Unreadable = { kind: 'vault', stream: 'vault-s1', revision: 0, position: 0n, reason: 'wrong-shape' };

async function tryWith(open: () => Promise<string | undefined>): Promise<{ outcome: unknown; logged: string[] }> {
  const logged: string[] = [];
  const log = {
    info: () => {},
    warn: (_fields: object, message: string) => void logged.push(message),
    error: (_fields: object, message: string) => void logged.push(message),
  };
  const deps = { log, retryLog: log, sameTurn: { wait: async () => {} } } as unknown as TryDeliveryDeps;
  const due = { revision: 0, seq: 1, at: 0, event: undefined };
  const outcome = await tryDelivery(deps, new EndpointOf({ open }), webhook, due, new LightAbort());
  return { outcome, logged };
}

describe('a delivery that cannot be tried', () => {
  it('[WH4.2] while the store is away waits a second', async () => {
    expect(await tryWith(() => Promise.reject(new StoreUnavailableError('away')))).toEqual({
      outcome: { kind: 'put-off', forMs: 1000 },
      logged: ['a delivery could not be tried yet'],
    });
  });

  it('[FA7.2] while the vault of its session cannot be read waits, and has not failed', async () => {
    expect(await tryWith(() => Promise.reject(new UnreadableEventError(unreadable)))).toEqual({
      outcome: { kind: 'put-off', forMs: patienceMs },
      logged: [],
    });
  });

  it('[WH4.2] because the key of its session is destroyed waits for the end of its outbox', async () => {
    expect(await tryWith(async () => undefined)).toEqual({
      outcome: { kind: 'put-off', forMs: patienceMs },
      logged: [],
    });
  });

  it('[WH4.2] because its endpoint cannot be opened has failed', async () => {
    expect(await tryWith(() => Promise.reject(new Error('broken')))).toEqual({
      outcome: { kind: 'failed', status: 0, error: 'its URL and token cannot be opened' },
      logged: [],
    });
  });

  it('[WH4.2] because of a defect of the gateway has failed, and the defect is logged', async () => {
    // What an attempt needs beside the endpoint is not there.
    expect(await tryWith(async () => '{"id":"1001"}')).toEqual({
      outcome: { kind: 'failed', status: 0, error: 'the gateway failed' },
      logged: ['a delivery failed by a fault of the gateway'],
    });
  });

  it('[WH4.3] is no failure of its chat', () => {
    const tried = {
      due: { seq: 1, at: 0 },
      failing: undefined,
      parked: [],
      retried: undefined,
      now: 7,
      fraction: () => 0.5,
    };
    expect(settleDelivery(tried, { kind: 'put-off', forMs: 1000 })).toEqual({
      changed: {},
      failing: { attempts: 0, since: 7, nextAt: 1007 },
      isDone: false,
      counted: [],
    });
    const failing = { attempts: 3, since: 2, nextAt: 7 };
    expect(settleDelivery({ ...tried, failing }, { kind: 'put-off', forMs: 1000 }).failing).toEqual({
      attempts: 3,
      since: 2,
      nextAt: 1007,
    });
  });

  it('[OS4.2] keeps the attempts of what is finished, if they were several, of the last 500', () => {
    const failing = { attempts: 3, since: 2, nextAt: 7, error: 'it answered with status 500' };
    const of = (seq: number, retried?: [number, number][]) => ({
      due: { seq, at: 0 },
      failing,
      parked: [],
      retried,
      now: 7,
      fraction: () => 0.5,
    });
    expect(settleDelivery(of(4), { kind: 'delivered', status: 204 }).changed.retried).toEqual([[4, 4]]);
    expect(settleDelivery({ ...of(4), failing: undefined }, { kind: 'delivered', status: 204 }).changed).toEqual({
      lastDelivered: { seq: 4, at: 7 },
    });
    expect(settleDelivery(of(4), { kind: 'undeliverable', error: 'x' }).changed.retried).toEqual([[4, 3]]);
    const many = Array.from({ length: 500 }, (_, index): [number, number] => [index + 1, 2]);
    const { retried = [] } = settleDelivery(of(501, many), { kind: 'delivered', status: 204 }).changed;
    expect([retried.length, retried[0], retried.at(-1)]).toEqual([500, [2, 2], [501, 4]]);
    expect(settleDelivery(of(4, [[4, 2]]), { kind: 'delivered', status: 204 }).changed.retried).toEqual([[4, 4]]);
  });
});

describe('the endpoint of a webhook', () => {
  const open = async (_session: string, sealed: Sealed): Promise<string> =>
    sealed === ('account' as Sealed) ? '{"id":"1001"}' : `open ${sealed}`;

  it('[WH2.2] is opened once, with the account that is logged in', async () => {
    const endpoint = new EndpointOf({ open });
    expect(endpoint.openEndpoint(webhook)).toBeUndefined();
    const opened = { url: 'open url', token: 'open token', generatedId: '1001' };
    expect(await endpoint.get(webhook)).toEqual(opened);
    expect(endpoint.openEndpoint(webhook)).toEqual(opened);
    for (const changed of [
      { account: 'another' as Sealed },
      { webhook: { ...webhook.webhook, url: 'u2' as Sealed } },
    ]) {
      expect(endpoint.openEndpoint({ ...webhook, ...changed })).toBeUndefined();
    }
  });

  it('[WH2.2] has no account before the first login', async () => {
    expect(await new EndpointOf({ open }).get({ ...webhook, account: undefined })).toMatchObject({ generatedId: '' });
  });
});
