import { Type } from 'typebox';
import { pushReactions } from '../api/push/push-reactions.ts';
import { pushUpdates } from '../api/push/push-updates.ts';
import { pushVote } from '../api/push/push-vote.ts';
import { pinMessage } from '../world/messages/pin-messages.ts';
import { requirePoll, vote } from '../world/polls/polls.ts';
import { knownReaction } from '../world/reactions/available-reactions.ts';
import { giveReaction, requireMessage } from '../world/reactions/give-reaction.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { resolveAccount, resolvePeer } from './resolve-peer.ts';

const Message = Type.Object({ userId: Type.String(), peer: Type.String(), messageId: Type.Integer({ minimum: 1 }) });
const Reaction = Type.Object({ reaction: Type.String({ maxLength: 16 }) });
const Vote = Type.Object({ answers: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 12 }) });

const Pin = Type.Object({ pinned: Type.Boolean() });

/** Reactions, votes and pins from an account's phone. */
export function reactionRoutes(app: ControlApp, { world }: ControlDeps): void {
  app.put(
    '/accounts/:userId/messages/:peer/:messageId/reaction',
    { schema: { params: Message, body: Reaction } },
    async ({ params, body }) => {
      const user = resolveAccount(world, params.userId);
      const key = body.reaction === '' ? undefined : knownReaction(body.reaction);
      if (body.reaction !== '' && key === undefined) throw new ControlError(400, 'reaction is not known');
      const keys = key === undefined ? [] : [key];
      const peer = resolvePeer(world, params.peer);
      pushReactions(world, giveReaction(world, user.id, { peer, id: params.messageId, keys, big: false }));
      return { messageId: String(params.messageId), reaction: body.reaction };
    },
  );

  app.put(
    '/accounts/:userId/messages/:peer/:messageId/vote',
    { schema: { params: Message, body: Vote } },
    async ({ params, body }) => {
      const user = resolveAccount(world, params.userId);
      const message = requireMessage(world, user.id, resolvePeer(world, params.peer), params.messageId);
      const poll = requirePoll(world, message);
      const options = body.answers.map((index) => poll.answers[index]?.option ?? Buffer.alloc(0));
      pushVote(world, user.id, vote(world, user.id, poll, options));
      return { messageId: String(params.messageId), answers: body.answers };
    },
  );

  app.put(
    '/accounts/:userId/messages/:peer/:messageId/pin',
    { schema: { params: Message, body: Pin } },
    async ({ params, body }) => {
      const user = resolveAccount(world, params.userId);
      const peer = resolvePeer(world, params.peer);
      const how = { isPinned: body.pinned, oneSide: false, silent: false };
      pushUpdates(world, pinMessage(world, user.id, peer, params.messageId, how));
      return { messageId: String(params.messageId), pinned: body.pinned };
    },
  );
}
