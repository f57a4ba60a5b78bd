import { Api } from 'telegram/tl/index.js';
import type { StopSignal } from '../../stop-signal.ts';
import type { OutgoingStory, PostedStory } from '../port/outgoing.ts';
import { TelegramError } from '../port.ts';
import type { Call } from './caller.ts';
import { inputMedia } from './input-media.ts';
import type { Sending } from './send-once.ts';
import { long, messageEntities } from './text-entities.ts';

const audiences: Readonly<Record<OutgoingStory['privacy'], () => Api.TypeInputPrivacyRule>> = {
  contacts: () => new Api.InputPrivacyValueAllowContacts(),
  everyone: () => new Api.InputPrivacyValueAllowAll(),
  close_friends: () => new Api.InputPrivacyValueAllowCloseFriends(),
};

/**
 * Posts a story on the account's own page, once (https://core.telegram.org/api/stories#posting-stories). Whether it may
 * is asked before the file is uploaded. @throws {TelegramError} {@link NotConnectedError}
 */
export async function postStory(sending: Sending, story: OutgoingStory, signal: StopSignal): Promise<PostedStory> {
  const { call, upload, book } = sending;
  const { media, caption, privacy, periodSeconds, randomId } = story;
  const peer = new Api.InputPeerSelf();
  await call(new Api.stories.CanSendStory({ peer }), signal);
  const request = new Api.stories.SendStory({
    peer,
    media: await inputMedia(media, (file) => upload(file, signal)),
    ...(caption.text !== '' && { caption: caption.text }),
    ...(caption.entities.length > 0 && { entities: messageEntities(caption.entities, book) }),
    privacyRules: [audiences[privacy]()],
    randomId: long(randomId),
    period: periodSeconds,
  });
  try {
    return postedIn(await call(request, signal), randomId);
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    // It was posted before, and the answer was lost.
    const latest = await latestOwn(call, caption.text, signal);
    if (latest === undefined) throw error;
    return latest;
  }
}

function postedIn(updates: Api.TypeUpdates, randomId: bigint): PostedStory {
  const list = updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined ? updates.updates : [];
  const wanted = randomId.toString();
  const named = list.find((update) => update instanceof Api.UpdateStoryID && update.randomId?.toString() === wanted);
  for (const update of list) {
    if (!(update instanceof Api.UpdateStory && update.story instanceof Api.StoryItem)) continue;
    const isIt = named === undefined || (named as Api.UpdateStoryID).id === update.story.id;
    if (isIt) return posted(update.story);
  }
  throw new Error('telegram posted the story but did not say under which ID');
}

/** The newest story with this caption that the account shows now. */
async function latestOwn(call: Call, caption: string, signal: StopSignal): Promise<PostedStory | undefined> {
  const { stories } = await call(new Api.stories.GetPeerStories({ peer: new Api.InputPeerSelf() }), signal);
  const own = stories.stories.filter((story): story is Api.StoryItem => story instanceof Api.StoryItem);
  const alike = own.filter((story) => (story.caption ?? '').trim() === caption.trim());
  const latest = alike.toSorted((a, b) => b.id - a.id)[0];
  return latest && posted(latest);
}

const posted = ({ id, date, expireDate }: Api.StoryItem): PostedStory => ({
  id,
  created: date * 1000,
  expires: expireDate * 1000,
});
