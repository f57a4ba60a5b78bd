import type { TlObject } from '../../rpc.ts';
import { noteBotUpdate } from '../../world/bots/bot-updates.ts';
import type { PeerRef } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlUpdates } from '../objects/tl-update.ts';

/** Pushes an update that only bots get, with its `qts`, and keeps it. `peers`: what it mentions, the chat first. */
export function pushBotUpdate(world: World, bot: number, update: TlObject, peers: readonly PeerRef[]): void {
  const event = noteBotUpdate(world, bot, update, peers);
  if (event === undefined) return;
  const mentioned = new MentionedPeers(world, bot, true).add(...peers);
  world.push(bot, tlUpdates(world, [event.update], mentioned.lists()));
}
