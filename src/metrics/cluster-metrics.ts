import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ClusterMeter } from '../cluster/cluster-meter.ts';

/** Upper bounds, in seconds: a released partition is served within 1.5 s, an expired one within a life and 3 s. */
const buckets = {
  renewal: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  takeover: [0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 15, 18, 30, 60],
};

/** Of a gateway that shares its store with others. */
export function createClusterMeter(registry: Registry): ClusterMeter {
  const registers = [registry];
  const renewals = new Histogram({
    name: 'gateway_lease_renewal_seconds',
    help: 'Renewals of leases, until the event store has them',
    buckets: buckets.renewal,
    registers,
  });
  const takeovers = new Histogram({
    name: 'gateway_takeover_seconds',
    help: 'Partitions that this node serves, since they were released, or since it learned of their last renewal',
    labelNames: ['from'],
    buckets: buckets.takeover,
    registers,
  });
  const losses = new Counter({
    name: 'gateway_lost_leases_total',
    help: 'Leases that ran out, or that another node has taken',
    registers,
  });
  return {
    renewed: (ms) => renewals.observe(ms / 1000),
    tookOver: (from, ms) => takeovers.observe({ from }, ms / 1000),
    lost: () => losses.inc(),
  };
}

/** @param owned how many partitions this process may act for */
export function addOwnedPartitions(registry: Registry, owned: () => number): void {
  void new Gauge({
    name: 'gateway_owned_partitions',
    help: 'Partitions that this node may act for, of 64',
    registers: [registry],
    collect() {
      this.set(owned());
    },
  });
}
