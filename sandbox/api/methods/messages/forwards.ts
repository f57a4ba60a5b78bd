import { RpcError, type TlObject } from '../../../rpc.ts';
import { countForwards, forwardDrafts } from '../../../world/messages/forward-messages.ts';
import { requirePollAllowed } from '../../../world/polls/polls.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Method } from '../../method.ts';
import { requireRandomIds, sendAndAnswer, sentBefore } from './answer-sent.ts';

const forwardMessages: Method = (params, caller) => {
  const { world, me, login } = caller;
  const ids = params['id'] as number[];
  const randomIds = params['random_id'] as bigint[];
  if (ids.length !== randomIds.length) throw new RpcError(400, 'RANDOM_ID_INVALID');
  requireRandomIds(randomIds);
  const before = sentBefore(caller, randomIds);
  if (before) return before;
  const from = inputPeer(caller, params['from_peer'] as TlObject);
  const to = inputPeer(caller, params['to_peer'] as TlObject);
  const options = {
    dropAuthor: params['drop_author'] === true,
    dropCaptions: params['drop_media_captions'] === true,
    silent: params['silent'] === true,
  };
  const drafts = forwardDrafts(world, { from, to, forwarder: me.id, ids }, options).map((draft, index) => ({
    ...draft,
    topic: params['top_msg_id'] as number | undefined,
    randomId: randomIds[index],
    sentBy: login.hash,
    noForwards: params['noforwards'] === true,
  }));
  for (const { media } of drafts) {
    const poll = media?.kind === 'poll' ? world.tables.polls.get(media.poll) : undefined;
    if (poll) requirePollAllowed(world, me.id, to, poll.publicVoters ?? false);
  }
  const answer = sendAndAnswer(caller, to, drafts, params['schedule_date'] as number | undefined);
  countForwards(world, me.id, from, ids);
  return answer;
};

export const forwardMethods: Record<string, Method> = { 'messages.forwardMessages': forwardMessages };
