import { helperBotId, helperReply } from '../../world/bots/helper-bot.ts';
import { sendMessage } from '../../world/messages/send-message.ts';
import { type PeerRef, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { pushUpdates } from './push-updates.ts';

/** Lets @helperbot reply to a text that was sent to it, unless a client of the bot's is there to do it. */
export function answerAsHelper(world: World, from: number, peer: PeerRef, text: string): void {
  if (peer.kind !== 'user' || peer.id !== helperBotId) return;
  if (world.tables.activeLogins(helperBotId).length > 0) return;
  const reply = helperReply(text);
  if (reply) pushUpdates(world, sendMessage(world, helperBotId, userPeer(from), reply).updates);
}
