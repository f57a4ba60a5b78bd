import { type ClusterWorld, lifeMs, type SimulatedNode } from './world.ts';

export interface ClusterStep {
  name: string;
  weight: number;
  /** False if there was nothing to do. */
  take: (world: ClusterWorld) => boolean | Promise<boolean>;
}

const maxNodes = 4;
const maxPauseMs = 60_000;
const maxOutageMs = 40_000;

const passBetween =
  (low: number, high: number): ClusterStep['take'] =>
  async (world) => {
    await world.pass(world.chance.between(low, high));
    return true;
  };

const ofOne =
  (list: (world: ClusterWorld) => readonly SimulatedNode[], meet: (world: ClusterWorld, node: SimulatedNode) => void) =>
  (world: ClusterWorld): boolean => {
    const nodes = list(world);
    if (nodes.length > 0) meet(world, world.chance.oneOf(nodes));
    return nodes.length > 0;
  };

export function endTrouble(world: ClusterWorld): void {
  world.trouble.noise = 0;
  world.trouble.outage(false);
  for (const { name, clock } of world.nodes) {
    world.trouble.cut(name, false);
    if (clock.isPaused) clock.resume();
  }
}

/** Everything that can happen next, and how likely it is. */
export const clusterSteps: readonly ClusterStep[] = [
  { name: 'a moment', weight: 25, take: passBetween(1, 300) },
  { name: 'a while', weight: 25, take: passBetween(300, 5_000) },
  {
    name: 'act',
    weight: 20,
    take: (world) => {
      for (const { part, clock } of world.present) clock.run(() => part.act());
      return world.present.length > 0;
    },
  },
  {
    name: 'join',
    weight: 5,
    take: (world) => {
      if (world.present.length >= maxNodes) return false;
      world.join();
      return true;
    },
  },
  {
    name: 'kill',
    weight: 2,
    take: ofOne(
      ({ present }) => present,
      (world, node) => world.kill(node),
    ),
  },
  {
    name: 'stop',
    weight: 2,
    take: ofOne(
      ({ running }) => running,
      (world, node) => world.stop(node),
    ),
  },
  {
    name: 'pause',
    weight: 5,
    take: ofOne(
      ({ present }) => present.filter(({ clock }) => !clock.isPaused),
      (world, { clock }) => {
        world.count('pause');
        clock.pause();
        world.clock.setTimeout(
          () => {
            if (clock.isPaused) clock.resume();
          },
          world.chance.between(1, world.chance.percent(50) ? maxPauseMs : lifeMs),
        );
      },
    ),
  },
  {
    name: 'cut',
    weight: 3,
    take: ofOne(
      ({ present }) => present,
      (world, { name }) => {
        world.count('cut');
        world.trouble.cut(name, true);
        world.clock.setTimeout(() => world.trouble.cut(name, false), world.chance.between(1, maxOutageMs));
      },
    ),
  },
  {
    name: 'outage',
    weight: 2,
    take: (world) => {
      world.count('outage');
      world.trouble.outage(true);
      world.clock.setTimeout(() => world.trouble.outage(false), world.chance.between(1, maxOutageMs));
      return true;
    },
  },
  {
    name: 'noise',
    weight: 4,
    take: (world) => {
      world.trouble.noise = world.chance.oneOf([0, 0, 5, 30]);
      return true;
    },
  },
  {
    name: 'calm',
    weight: 2,
    take: async (world) => {
      endTrouble(world);
      await world.pass(world.chance.between(lifeMs, 3 * lifeMs));
      return true;
    },
  },
];
