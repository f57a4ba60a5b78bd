import type { MediaRequest } from '../media/prepare.ts';
import type { OutgoingStory, PostedStory } from '../telegram/port/outgoing.ts';
import type { MarkedText } from './content.ts';
import { format } from './format.ts';
import type { SendOptions, SendParts } from './send-message.ts';
import { withinSendTime } from './send-time.ts';

export interface Status extends MarkedText {
  content: Extract<MediaRequest, { type: 'image' | 'video' }>;
  privacy: OutgoingStory['privacy'];
  periodHours: number;
}

const secondsPerHour = 3600;

/**
 * Posts a story (ST1).
 * @throws {RequestError} a file can't be had, or the time is up. @throws {TelegramError} {@link NotConnectedError}
 */
export function postStatus(
  { account, media, clock, randomness }: SendParts,
  status: Status,
  { begin, until }: SendOptions = {},
): Promise<PostedStory> {
  return withinSendTime(clock, until, (signal) =>
    media.withPrepared(status.content, signal, async (prepared) => {
      const story: OutgoingStory = {
        media: prepared,
        caption: format(status),
        privacy: status.privacy,
        periodSeconds: status.periodHours * secondsPerHour,
        randomId: begin === undefined ? randomness.bytes(8).readBigInt64BE() : await begin(),
      };
      return account.postStory(story, signal);
    }),
  );
}
