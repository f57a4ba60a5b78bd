import { crc32 } from 'node:zlib';

/** An event with its content as JSON text. */
export interface EncodedEvent {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

interface PlacedEvent extends EncodedEvent {
  stream: string;
  revision: number;
  created: number;
}

/**
 * CRC-32 of an event and its place. It finds what a disk or another program has changed; SQLite itself has no checksums.
 */
export const checksumOf = ({ stream, revision, id, type, created, data, metadata }: PlacedEvent): number =>
  // One call: three cost twice as much.
  crc32(`${stream} ${revision} ${id} ${type} ${created}${data}${metadata}`);
