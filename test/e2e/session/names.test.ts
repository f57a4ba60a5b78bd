import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { startWebServer } from '../../support/kit/web-server.ts';

/** The callers' own names for sessions, through HTTP. */

let scene: Scene;
beforeEach(async () => {
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
});
afterEach(() => scene.close());

const create = (body: object): Promise<Answer> => scene.gateway.http.request('POST', '/session', { body });
const operator = (method: string, path: string, body?: object): Promise<Answer> =>
  scene.gateway.http.request(method, path, body === undefined ? {} : { body });
const usedBy = ({ id }: Caller): object => ({
  status: 400,
  body: { statusCode: 400, message: `externalId is used by session ${id}` },
});
const names = { externalId: 'customer-4711', label: 'Support desk' };

describe('names', () => {
  it('[OS1.1] are given at creation, changed by both callers, and stay over a reset', async () => {
    const caller = await scene.create(names);
    expect(await scene.read(caller)).toMatchObject(names);
    const changed = await scene.request(caller, 'PATCH', '/session', { label: 'Shop' });
    expect(changed.body).toEqual({ id: caller.id, externalId: 'customer-4711', label: 'Shop', pace: null });
    await scene.request(caller, 'POST', '/session/reset', {});
    const again = await operator('PATCH', `/sessions/${caller.id}`, { externalId: 'customer-1', label: null });
    expect(again.body).toEqual({ id: caller.id, externalId: 'customer-1', label: 'Shop', pace: null });
    await scene.request(caller, 'PATCH', '/session', { externalId: '', label: '' });
    const bare = await scene.read(caller);
    expect(bare).not.toHaveProperty('externalId');
    expect(bare).not.toHaveProperty('label');
  });

  it('[OS1.1] that are too long are refused, at creation and later', async () => {
    const caller = await scene.create();
    const body = { externalId: 'x'.repeat(129), label: 'x'.repeat(65) };
    const refused = {
      status: 400,
      body: {
        message:
          'externalId must be shorter than or equal to 128 characters\nlabel must be shorter than or equal to 64 characters',
      },
    };
    expect(await create(body)).toMatchObject(refused);
    expect(await scene.request(caller, 'PATCH', '/session', body)).toMatchObject(refused);
    expect(await operator('PATCH', '/sessions/unknown', names)).toMatchObject({ status: 404 });
  });

  it('[OS1.2] an external ID is one live session’s, also after a crash', async () => {
    const caller = await scene.create(names);
    const other = await scene.create();
    expect(await create(names)).toMatchObject(usedBy(caller));
    await scene.restart();
    expect(await create(names)).toMatchObject(usedBy(caller));
    await scene.read(other);
    expect(await scene.request(other, 'PATCH', '/session', names)).toMatchObject(usedBy(caller));
    expect(await operator('PATCH', `/sessions/${other.id}`, names)).toMatchObject(usedBy(caller));
  });

  it('[OS1.2] of creations at the same time one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(names)));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expect(answer).toMatchObject(usedBy(made[0]?.body as never));
  });

  it('[OS1.3] the external ID of a deleted session is free', async () => {
    const caller = await scene.create(names);
    await scene.request(caller, 'DELETE', '/session');
    expect(await create(names)).toMatchObject({ status: 200, body: names });
  });

  it('[OS1.5] stand in lists, of deleted sessions too, and in the audit', async () => {
    const caller = await scene.create({ externalId: 'customer-4711' });
    await scene.request(caller, 'PATCH', '/session', { label: 'Support desk' });
    const { body: audit } = await scene.request<{ docs: { type: string; data: object }[] }>(
      caller,
      'GET',
      '/session/events',
    );
    const entry = (type: string) => audit.docs.find((one) => one.type === type)?.data;
    expect(entry('SessionCreated')).toMatchObject({ externalId: 'customer-4711' });
    expect(entry('SessionRenamed')).toMatchObject({ label: 'Support desk' });
    expect((await operator('GET', `/sessions/${caller.id}`)).body).toMatchObject(names);
    await scene.request(caller, 'DELETE', '/session');
    expect((await operator('GET', '/sessions?state=deleted')).body).toMatchObject({ docs: [names] });
  });

  it('[OS1.5] the external ID stands in webhooks’ envelopes as it is when they are sent', async () => {
    const sessions: unknown[] = [];
    const receiver = await startWebServer((request, response) => {
      void text(request).then((body) => {
        sessions.push((JSON.parse(body) as { session: unknown }).session);
        response.writeHead(204).end();
      });
    });
    const arrived = async (count: number): Promise<unknown> => {
      while (sessions.length < count) await scene.clock.advance(0);
      return sessions[count - 1];
    };
    const caller = await scene.connected();
    const { id } = caller;
    await scene.request(caller, 'PUT', '/session/webhook', { url: receiver.url, token: 'token' });
    const write = () => scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: '1001', text: 'Hello' });
    await write();
    expect(await arrived(1)).toEqual({ id, generatedId: '1001' });
    await scene.request(caller, 'PATCH', '/session', names);
    await write();
    expect(await arrived(2)).toEqual({ id, generatedId: '1001', externalId: 'customer-4711' });
    await scene.request(caller, 'POST', '/session/webhook/test', {});
    expect(await arrived(3)).toEqual({ id, generatedId: '1001', externalId: 'customer-4711' });
    await receiver.close();
  });
});
