import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorStreams, singleStreams, streamKinds, usageStreams } from '../../../actors/ports/event-codec.ts';
import type { Json, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { MemoryDisk } from '../store/memory-store.ts';
import type { Shapes } from './shapes.ts';

/** Of every kind; a version that had none of one has no file of it. */
const kinds = [...streamKinds, ...singleStreams, ...operatorStreams, ...usageStreams];

/** A folder for each released version, with the streams that it wrote and what was read off them. */
const root = 'test/fixtures/histories';

export const recordedVersions = (): string[] => (existsSync(root) ? readdirSync(root).toSorted() : []);

const read = (version: string, name: string): unknown => JSON.parse(readFileSync(join(root, version, name), 'utf8'));

/** The store as that version left it. */
export function loadHistory(version: string): MemoryDisk {
  const events = kinds
    .filter((kind) => existsSync(join(root, version, `${kind}.json`)))
    .flatMap((kind) => read(version, `${kind}.json`) as StoredEvent[]);
  const disk = new MemoryDisk();
  for (const event of events.toSorted((one, other) => one.position - other.position)) {
    disk.restore({ ...event, position: BigInt(event.position) });
  }
  return disk;
}

/** What was read off the store when it was recorded. */
export const loadResult = (version: string): unknown => read(version, 'result.json');

/** What the events of that version held, by kind of stream. */
export const loadShapes = (version: string): Shapes => read(version, 'shapes.json') as Shapes;

interface StoredEvent extends Omit<RecordedEvent, 'position' | 'damage'> {
  position: number;
}

/** @throws there is one of that version: what a released version wrote never changes */
export function saveHistory(version: string, log: readonly RecordedEvent[], result: Json, shapes: Shapes): void {
  const folder = join(root, version);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`, { flag: 'wx' });
  for (const kind of kinds) {
    const events = log.filter(({ stream }) => stream === kind || stream.startsWith(`${kind}-`));
    write(
      `${kind}.json`,
      events.map((event) => ({ ...event, position: Number(event.position) })),
    );
  }
  write('result.json', result);
  write('shapes.json', shapes);
}
