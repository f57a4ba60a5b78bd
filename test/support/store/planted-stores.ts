import { join } from 'node:path';
import { createTemporaryFolder } from '../kit/temporary-folder.ts';
import { KurrentDbDouble } from '../kurrentdb-double/server.ts';
import { type PlantedEvent, plantInKurrentDb, plantInSqlite } from './plant-event.ts';

/** A place of events, in which another program leaves some too. */
export interface PlantedStore {
  url: string;
  plant: (stream: string, event: PlantedEvent) => void | Promise<void>;
  remove: () => Promise<unknown>;
}

/** One of each kind of store, by its name. */
export const plantedStores: Record<string, () => Promise<PlantedStore>> = {
  async sqlite() {
    const { path, remove } = await createTemporaryFolder();
    const file = join(path, 'events.db');
    return { url: `sqlite:${file}`, plant: (stream, event) => plantInSqlite(file, stream, event), remove };
  },
  async kurrentdb() {
    const server = await new KurrentDbDouble().start();
    const { url } = server;
    return { url, plant: (stream, event) => plantInKurrentDb(url, stream, event), remove: () => server.stop() };
  },
};
