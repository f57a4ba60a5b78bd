import type { EventStore, NewEvent } from '../../../../actors/ports/event-store.ts';
import { nodePrefix } from '../../../../src/cluster/members/node-codec.ts';
import { layerOver } from '../../store/layer-over.ts';
import { InvariantError } from '../model.ts';

/** Who wrote an event of a session, and with which lease. */
interface Author {
  node: string;
  epoch: number;
}

export const sessionStreamOf = (id: string): string => `session-${id}`;

/** Where in the log a node said that it takes its share, and where it said anything the last time. */
export interface NodePlaces {
  activeAt: bigint | undefined;
  lastAt: bigint;
}

/** Sees each event of a session when it is recorded: its author must be the owner that was recorded last. */
export function fencedLog(
  store: EventStore,
  onBroken: (error: Error) => void,
  count: (name: string) => void,
  /** By stream. */
  nodes: Map<string, NodePlaces>,
): EventStore {
  const owners = new Map<string, Author & { revision: number }>();

  const see = (stream: string, revision: number, { type, data }: NewEvent): void => {
    const author = data as unknown as Author;
    const owner = owners.get(stream);
    if (owner !== undefined && revision <= owner.revision) return;
    if (type === 'OwnerChanged') {
      if (
        owner !== undefined &&
        (author.epoch < owner.epoch || (author.epoch === owner.epoch && author.node !== owner.node))
      )
        onBroken(new InvariantError(`${stream}: ${author.node} is owner with ${author.epoch} behind ${owner.epoch}`));
      count('adopted');
    } else if (owner?.node !== author.node || owner.epoch !== author.epoch) {
      onBroken(new InvariantError(`${stream}: ${author.node} has written, the owner is ${owner?.node}`));
    }
    owners.set(stream, { ...author, revision });
  };

  const seeNode = (stream: string, position: bigint, { data }: NewEvent): void => {
    const isActive = (data as { state?: string }).state === 'active';
    nodes.set(stream, { activeAt: nodes.get(stream)?.activeAt ?? (isActive ? position : undefined), lastAt: position });
  };

  return layerOver(store, {
    async append(stream, expected, events) {
      const appended = await store.append(stream, expected, events);
      if (stream.startsWith(sessionStreamOf(''))) for (const event of events) see(stream, appended.revision, event);
      if (stream.startsWith(nodePrefix)) for (const event of events) seeNode(stream, appended.position, event);
      return appended;
    },
  });
}
