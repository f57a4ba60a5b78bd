import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { MediaRequest } from '../media/outgoing/prepare.ts';
import type { OutgoingStory, PostedStory } from '../telegram/port/outgoing.ts';
import type { MarkedText } from './content.ts';
import { drawn, type SendMessageDeps, type SendMessageOptions } from './send-message.ts';
import { withSendTimeout } from './send-timeout.ts';
import { formatWithin, longStoryCaption } from './text-limits.ts';

export interface Status extends MarkedText {
  content: Extract<MediaRequest, { type: 'image' | 'video' }>;
  privacy: OutgoingStory['privacy'];
  periodHours: number;
}

const secondsPerHour = 3600;

/**
 * Posts a story (ST1).
 * @throws {GatewayError} a file cannot be fetched, or the time is up. @throws {TelegramError} {@link NotConnectedError}
 */
export function postStatus(
  deps: SendMessageDeps,
  status: Status,
  { begin = drawn(deps), begun, until }: SendMessageOptions = {},
): Promise<PostedStory> {
  const { account, media, clock } = deps;
  const send = async (signal: LightAbortSignal): Promise<PostedStory> => {
    const posted = begun && (await account.postedBefore(begun, signal));
    if (posted !== undefined) return posted;
    const caption = formatWithin(status, longStoryCaption);
    const post = (prepared: OutgoingStory['media']): Promise<PostedStory> => {
      const story: OutgoingStory = {
        media: prepared,
        caption,
        privacy: status.privacy,
        periodSeconds: status.periodHours * secondsPerHour,
      };
      return account.postStory(story, begin, begun !== undefined, signal);
    };
    return media.withPrepared(status.content, signal, post, account.maxUploadBytes);
  };
  return withSendTimeout(clock, send, until, account.ended);
}
