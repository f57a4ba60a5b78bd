import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { type Observed, openScene, type Scene, until } from '../../../support/telegram/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

it('[SE9.3] -404 in each of 41 sessions ends no login', async () => {
  const links: Observed[] = [];
  for (let i = 0; i < 41; i++) links.push(await scene.loggedIn(`s${i}`, '1001'));
  const { accepted } = scene.sandbox.protocol.stats();
  await scene.control('POST', '/chaos', { transportError: -404 });
  await until(async () => {
    await scene.live(500);
    const stats = scene.sandbox.protocol.stats();
    return stats.accepted === accepted + 41 && stats.connections === 41;
  });
  await scene.live(180_000);
  expect(new Set(links.flatMap(({ facts }) => facts.map(({ type }) => type)))).toEqual(
    new Set(['QrIssued', 'LoggedIn']),
  );
  expect(await scene.control('GET', '/accounts/1001/devices')).toHaveLength(41);
  await Promise.all(links.map((link) => link.account().byUsername('bob', new LightAbort())));
});
