import { expect, it } from 'vitest';
import { liveThroughOutage } from '../../support/e2e/store-outage.ts';

it('goes on reading and refuses to write for ten minutes without its event store', async () => {
  const { before, after } = await liveThroughOutage(10 * 60_000);
  expect(after).toEqual([...before, 'SessionDeleted']);
});
