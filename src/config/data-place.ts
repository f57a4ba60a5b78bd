import { resolve } from 'node:path';
import { readOne, readStoreUrl, readStreamPrefix } from './config.ts';

/** Where a gateway's data is. */
export interface DataPlace {
  dataDir: string;
  eventStoreUrl: string;
  streamPrefix: string;
}

/** The settings of the stored data alone, for commands that need nothing else. @throws {ConfigError} */
export const readDataPlace = (variables: NodeJS.ProcessEnv): DataPlace => ({
  dataDir: readOne(variables, ({ DATA_DIR }) => resolve(DATA_DIR)),
  eventStoreUrl: readStoreUrl(variables),
  streamPrefix: readStreamPrefix(variables),
});
