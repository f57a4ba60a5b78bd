import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { ComparisonStep, Found } from './comparison-step.ts';
import { channelOf } from './found-in-updates.ts';

const title = 'Gateway and sandbox';
const newTitle = 'Gateway and sandbox, compared';

/** A step that needs the group. */
function inGroup(
  name: string,
  call: string,
  request: (group: Api.InputChannel, found: Found) => Api.AnyRequest,
): ComparisonStep {
  return { name, call, request: (found) => found.group && request(found.group, found) };
}

const peerOf = ({ channelId, accessHash }: Api.InputChannel): Api.InputPeerChannel =>
  new Api.InputPeerChannel({ channelId, accessHash });
const editTitle = (channel: Api.InputChannel): Api.channels.EditTitle =>
  new Api.channels.EditTitle({ channel, title: newTitle });
const inFull = (channel: Api.InputChannel): Api.channels.GetFullChannel => new Api.channels.GetFullChannel({ channel });

/** In a group that has one member. */
export const groupSteps: readonly ComparisonStep[] = [
  {
    name: 'a group is made',
    call: 'channels.CreateChannel',
    request: () => new Api.channels.CreateChannel({ title, about: 'It is deleted again.', megagroup: true }),
    keep: (answer, found) => {
      const group = channelOf(answer);
      if (group) found.group = group;
    },
  },
  inGroup('the group in full', 'channels.GetFullChannel', inFull),
  inGroup('a new title', 'channels.EditTitle', editTitle),
  inGroup('the same title', 'channels.EditTitle', editTitle),
  inGroup(
    'a text in the group',
    'messages.SendMessage',
    (group, { randomId }) =>
      new Api.messages.SendMessage({ peer: peerOf(group), message: title, randomId: randomId('group text') }),
  ),
  inGroup(
    'the history of the group',
    'messages.GetHistory',
    (group) => new Api.messages.GetHistory({ peer: peerOf(group), limit: 10, hash: bigInt.zero }),
  ),
  inGroup(
    'oneself in the group',
    'channels.GetParticipant',
    (channel) => new Api.channels.GetParticipant({ channel, participant: new Api.InputPeerSelf() }),
  ),
  inGroup(
    'the members of the group',
    'channels.GetParticipants',
    (channel) =>
      new Api.channels.GetParticipants({
        channel,
        filter: new Api.ChannelParticipantsRecent(),
        limit: 10,
        hash: bigInt.zero,
      }),
  ),
  inGroup(
    'what has happened in the group',
    'updates.GetChannelDifference',
    (channel) =>
      new Api.updates.GetChannelDifference({
        channel,
        filter: new Api.ChannelMessagesFilterEmpty(),
        pts: 1,
        limit: 10,
      }),
  ),
  {
    ...inGroup(
      'the group is deleted',
      'channels.DeleteChannel',
      (channel) => new Api.channels.DeleteChannel({ channel }),
    ),
    isCleanUp: true,
  },
  inGroup('the group that is gone', 'channels.GetFullChannel', inFull),
];
