import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { DurationHistogram } from '../../../src/metrics/duration-histogram.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';

it('[OP5.1] says of durations what the histogram of the metrics package says of the same ones', async () => {
  const random = createSeededRandomness(5, createDrivenClock());
  const common = { name: 'gateway_test_seconds', help: 'Of "both"\\s' };
  const buckets = [0.005, 0.1, 1, 10];
  const theirs = new Registry();
  const ours = new Registry();
  const their = new Histogram({ ...common, buckets, labelNames: ['route', 'status'], registers: [theirs] });
  const our = new DurationHistogram({ ...common, buckets, registry: ours });
  // On a bound, and beyond the last one, too.
  const durations = [...buckets, 0, 11, ...Array.from({ length: 200 }, () => 20 ** random.fraction() - 1)];
  for (const [number, seconds] of durations.entries()) {
    const labels = { route: number % 3 === 0 ? '/a"b' : '/c', status: number % 2 === 0 ? 200 : 404 };
    their.observe(labels, seconds);
    our.observe(`${labels.status} ${labels.route}`, seconds, () => labels);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
