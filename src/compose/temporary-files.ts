import { join } from 'node:path';
import { emptyTemporaryRoot } from '../media/outgoing/temporary-folder.ts';
import { defaultTempBytes, TemporarySpace } from '../media/outgoing/temporary-space.ts';
import { KeptFiles } from '../media/uploads/kept-files.ts';
import type { ComposeContext } from './context.ts';

/** The files of sends, those that are kept for later ones, and the room that they share (NB2). */
export interface TemporaryFiles {
  /** The parent of the folders of sends. */
  folder: string;
  space: TemporarySpace;
  uploads: KeptFiles;
}

/** Removes what an earlier run has left. */
export function openTemporaryFiles({ config, clock, randomness, onEnd }: ComposeContext): TemporaryFiles {
  const folder = emptyTemporaryRoot(config.dataDir);
  const space = new TemporarySpace({ folder, maxBytes: config.mediaTempBytes ?? defaultTempBytes(folder) });
  const uploads = new KeptFiles({ folder: join(config.dataDir, 'uploads'), space, clock, randomness });
  onEnd(() => uploads.close());
  return { folder, space, uploads };
}
