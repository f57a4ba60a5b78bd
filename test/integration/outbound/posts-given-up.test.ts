import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { PostWorld } from '../../support/outbound/post-world.ts';

let world: PostWorld;
beforeEach(async () => {
  world = await new PostWorld().start();
});
afterEach(() => world.close());

it('[WH4.2] a receiver that does not answer in time is given up', async () => {
  world.answer = () => {};
  const outcome = world.post();
  await world.asked;
  await world.clock.advance(9_999);
  await world.clock.advance(1);
  await expect(outcome).rejects.toThrow(/^it took too long$/);
});

it('[WH4.2] a receiver that hangs up is told apart from one that is not there', async () => {
  world.answer = (response) => {
    response.destroy();
  };
  await expect(world.post()).rejects.toThrow(/^the connection was lost$/);
  await world.server.close();
  await expect(world.post()).rejects.toThrow(/^could not connect to it$/);
});

it('[WH4.2] what is being opened or asked fails when all is closed', async () => {
  world.answer = () => {};
  const waiting = createOutbound({ clock: world.clock, allowPrivate: true, resolve: () => new Promise(() => {}) });
  const options = { sessionId: 'one', body: '', headers: {}, timeoutMs: 10_000 };
  const opening = waiting.post('http://receiver.test/', options);
  opening.catch(() => {});
  const asking = world.post();
  await world.asked;
  await Promise.all([waiting.close(), world.outbound.close()]);
  await expect(opening).rejects.toThrow(/^the connection was lost$/);
  await expect(asking).rejects.toThrow(/^the connection was lost$/);
  expect(world.clock.armed()).toBe(0);
});

it('[WH4.2] stops with the signal, for its reason', async () => {
  world.answer = () => {};
  const stop = new LightAbort();
  const outcome = world.post(stop);
  await world.asked;
  stop.abort(new Error('closing'));
  await expect(outcome).rejects.toThrow(/^closing$/);
});

it('[WH4.2] stops while the connection is still being opened, and sends nothing later', async () => {
  world.answer = (response) => {
    response.end();
  };
  let tellAddress = (): void => {};
  const addresses = new Promise<string[]>((resolve) => {
    tellAddress = () => resolve(['127.0.0.1']);
  });
  const slow = createOutbound({ clock: world.clock, allowPrivate: true, resolve: () => addresses });
  const send = (body: string, signal?: LightAbort): Promise<unknown> =>
    slow.post(`http://receiver.test:${world.server.port}/hook`, {
      sessionId: 'one',
      body,
      headers: {},
      timeoutMs: 10_000,
      ...(signal === undefined ? {} : { signal }),
    });
  const stop = new LightAbort();
  const stopped = send('stopped', stop);
  stop.abort(new Error('closing'));
  await expect(stopped).rejects.toThrow(/^closing$/);
  const waiting = send('waiting');
  tellAddress();
  await expect(waiting).resolves.toMatchObject({ status: 200 });
  await world.clock.settle();
  expect(world.received.map(({ body }) => body)).toEqual(['waiting']);
  await slow.close();
});
