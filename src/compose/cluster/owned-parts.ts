import type { OwnedPartitions } from '../../../actors/ports/ownership.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import type { ClusterNodes } from '../../cluster/cluster-nodes.ts';
import { type OwnedPart, releasedTogether } from '../../cluster/owned-part.ts';
import { PartitionSet } from '../../cluster/partitions.ts';
import type { LinkSessions } from '../../links/link-sessions.ts';
import type { IdempotentSends } from '../../messaging/idempotent-sends.ts';
import type { Paces } from '../../messaging/pace/paces.ts';
import type { TypingIndicators } from '../../messaging/typing.ts';
import type { Vault } from '../../store/vault/vault.ts';
import type { KeysInUse } from '../../telegram/login/keys-in-use.ts';
import type { Webhooks } from '../webhooks.ts';

export interface OwnedPartsDeps {
  vault: Pick<Vault, 'forget'>;
  keysInUse: Pick<KeysInUse, 'forget'>;
  features: { keyedSends: IdempotentSends; paces: Paces; typing: TypingIndicators };
  webhooks: Webhooks;
  sessions: Sessions;
  links: LinkSessions;
  views: Pick<SessionViews, 'waitFor'>;
  /** Position of the newest event with which a session was taken. */
  takenUpTo: () => bigint;
}

const nothing = (): Promise<void> => Promise.resolve();

/** Views that were cut off from the store may need seconds, and a node that ends does not wait for them. */
async function unlessEmptied(waiting: Promise<void>, emptied: AbortSignal): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    if (!emptied.aborted) throw error;
  }
}

/**
 * All that acts for sessions, in the order in which it takes them: what is known of them from earlier is forgotten, then who
 * receives their events is known before they connect. They are released in the opposite order, sessions and deliveries at once.
 */
export function registerParts(
  nodes: Pick<ClusterNodes, 'register'>,
  {
    vault,
    keysInUse,
    features: { keyedSends, paces, typing },
    webhooks,
    sessions,
    links,
    views,
    takenUpTo,
  }: OwnedPartsDeps,
): void {
  const { readers, follower, deliveries, operatorWebhooks } = webhooks;
  const forgets = (forget: (partitions: OwnedPartitions) => void): OwnedPart => ({
    take: async (partitions) => forget(partitions),
    release: async (partitions) => forget(partitions),
  });
  const parts: readonly OwnedPart[] = [
    forgets((partitions) => {
      vault.forget(partitions);
      // The sessions that have keys here note them when they load their logins.
      keysInUse.forget(partitions);
    }),
    {
      ...forgets((partitions) => {
        keyedSends.forget(partitions);
        paces.forget(partitions);
      }),
      finish(partition) {
        paces.refuseWaiting(new PartitionSet([partition]));
        return undefined;
      },
    },
    readers,
    follower,
    releasedTogether([
      {
        take: (partitions) => sessions.take(partitions),
        finish: (partition) => sessions.finish(new PartitionSet([partition])),
        release: (partitions, isLost) => sessions.release(partitions, isLost),
      },
      {
        take: nothing,
        release: nothing,
        finish: (partition) => typing.endOf(new PartitionSet([partition])),
      },
      // Which webhooks there are to deliver to.
      { take: ({ emptied }) => unlessEmptied(views.waitFor(takenUpTo(), emptied), emptied), release: nothing },
      deliveries,
      operatorWebhooks,
      { take: async () => links.start(), release: nothing },
    ]),
  ];
  for (const part of parts) nodes.register(part);
}
