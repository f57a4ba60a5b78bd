import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openStoreForReading } from '../../../src/store/events/open-store.ts';
import { openVault } from '../../../src/store/vault/vault.ts';
import {
  type DeliveryContent,
  type DeliveryMetadata,
  deliveryStream,
  isDelivered,
} from '../../../src/webhook/stream/delivery-events.ts';
import { kurrentMasterKey } from '../gateway/kurrentdb-environment.ts';
import { allReadable } from '../store/all-readable.ts';
import type { KurrentPlace } from '../store/kurrent-place.ts';

type Content = DeliveryContent['MessageReceived'] &
  DeliveryContent['MessagesDeleted'] &
  DeliveryContent['MessagesRead'];

export interface Delivery {
  id: string;
  type: string;
  metadata: DeliveryMetadata;
  content: Content;
}

/** Where a gateway keeps its events. */
export interface Kept {
  dataDir: string;
  /** If they are not in the data directory. */
  kurrent?: KurrentPlace | undefined;
}

/** What a gateway has recorded in a session's delivery stream, opened; also beside one that is writing it. */
export async function readDeliveries(kept: Kept, sessionId: string): Promise<Delivery[]> {
  const around = { clock: systemClock, randomness: systemRandomness };
  const { url, streamPrefix } = kept.kurrent ?? { url: `sqlite:${join(kept.dataDir, 'events.db')}`, streamPrefix: '' };
  const store = await openStoreForReading(url, { ...around, streamPrefix });
  try {
    const masterKeys = [await masterKeyOf(kept)];
    // To open, a vault only reads.
    const vault = openVault({
      store: store as EventStore,
      masterKeys,
      ...around,
      reportUnreadable: allReadable,
    });
    const deliveries: Delivery[] = [];
    for await (const event of store.read(deliveryStream(sessionId))) {
      const { content } = event.data as { content?: Sealed };
      const text = content && (await vault.open(sessionId, content));
      deliveries.push(opened(event, text));
    }
    return deliveries;
  } finally {
    await store.close();
  }
}

function opened({ id, type, metadata }: RecordedEvent, text: string | undefined): Delivery {
  const content = text === undefined ? {} : (JSON.parse(text) as object);
  return { id, type, metadata: metadata as unknown as DeliveryMetadata, content: content as Content };
}

async function masterKeyOf({ dataDir, kurrent }: Kept): Promise<Buffer> {
  if (kurrent !== undefined) return Buffer.from(kurrentMasterKey, 'hex');
  return Buffer.from((await readFile(join(dataDir, 'master.key'), 'utf8')).trim(), 'base64');
}

/** Texts of messages in order; edited ones begin with `~`. */
export const textsOf = (deliveries: readonly Delivery[]): string[] =>
  deliveries.flatMap(({ type, content }) => {
    if (type === 'MessageReceived') return [content.message.text];
    return type === 'MessageEdited' ? [`~${content.message.text}`] : [];
  });

/** What must be true of every delivery stream. */
export function faultsOf(deliveries: readonly Delivery[]): string[] {
  const faults: string[] = [];
  let seq = 0;
  const ids = new Set<string>();
  for (const { id, type, metadata } of deliveries) {
    if (isDelivered(type)) seq += 1;
    if (metadata.seq !== seq) faults.push(`${type} has number ${metadata.seq} where ${seq} is next`);
    if (ids.has(id)) faults.push(`${id} is there twice`);
    ids.add(id);
  }
  return faults;
}
