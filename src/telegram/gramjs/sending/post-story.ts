import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import { TelegramError } from '../../port/errors.ts';
import type { BeginSend, OutgoingStory, PostedStory, SendMark } from '../../port/outgoing.ts';
import { long, messageEntities } from '../peers/text-entities.ts';
import { flattenUpdates } from '../updates/flatten-updates.ts';
import { likeliest } from './find-by-content.ts';
import { findStoryByRandomId } from './find-by-random-id.ts';
import { inputMedia } from './input-media.ts';
import type { Sending } from './sending.ts';

const audiences: Readonly<Record<OutgoingStory['privacy'], () => Api.TypeInputPrivacyRule>> = {
  contacts: () => new Api.InputPrivacyValueAllowContacts(),
  everyone: () => new Api.InputPrivacyValueAllowAll(),
  close_friends: () => new Api.InputPrivacyValueAllowCloseFriends(),
};

/** For the look-up of a story that is posted: its caller learns its ID, with or without Telegram's own dates. */
const lookUpMs = 10_000;
const noAnswer = (): Error => new TimeoutError('no answer');

/**
 * Posts a story on the account's own page, once (https://core.telegram.org/api/stories#posting-stories). Asks whether
 * it may before the file is uploaded.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export async function postStory(
  sending: Sending,
  story: OutgoingStory,
  begin: BeginSend,
  mayBeOut: boolean,
  signal: LightAbortSignal,
): Promise<PostedStory> {
  const { call, upload, book } = sending;
  const { media, caption, privacy, periodSeconds } = story;
  const peer = new Api.InputPeerSelf();
  if (!mayBeOut) await call(new Api.stories.CanSendStory({ peer }), signal);
  const uploaded = await inputMedia(media, (file) => upload(file, signal));
  const mark = await begin();
  const request = new Api.stories.SendStory({
    peer,
    media: uploaded,
    ...(caption.text !== '' && { caption: caption.text }),
    ...(caption.entities.length > 0 && { entities: messageEntities(caption.entities, book) }),
    privacyRules: [audiences[privacy]()],
    randomId: long(mark.randomId),
    period: periodSeconds,
  });
  try {
    const answer = await call(request, signal);
    const id = storyIdIn(answer, mark.randomId);
    const named = (): Promise<PostedStory> | undefined =>
      id === undefined ? undefined : storyNamed(sending, id, { at: sending.clock.now(), periodSeconds }, signal);
    const own = postedIn(answer, id) ?? (await named());
    if (own === undefined) throw new Error('telegram posted the story but did not say under which ID');
    return own;
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    // It was posted before; the answer was lost.
    const id = await findStoryByRandomId(sending, mark, signal);
    const own =
      id === undefined
        ? await ownStory(sending, caption.text, mark, signal)
        : await storyNamed(sending, id, { at: mark.begunAt, periodSeconds }, signal);
    if (own === undefined) throw error;
    return own;
  }
}

/** The story of an earlier posting, if Telegram knows it. @throws {NotConnectedError} */
export async function postedBefore(
  sending: Sending,
  mark: SendMark,
  signal: LightAbortSignal,
): Promise<PostedStory | undefined> {
  const id = await findStoryByRandomId(sending, mark, signal);
  return id === undefined ? undefined : storyById(sending, id, signal);
}

async function storyById({ call }: Sending, id: number, signal: LightAbortSignal): Promise<PostedStory | undefined> {
  const request = new Api.stories.GetStoriesByID({ peer: new Api.InputPeerSelf(), id: [id] });
  const [story] = (await call(request, signal)).stories;
  return story instanceof Api.StoryItem ? posted(story) : undefined;
}

/** The story, if the answer has all of it. */
function postedIn(answer: Api.TypeUpdates, id: number | undefined): PostedStory | undefined {
  for (const update of flattenUpdates(answer)) {
    if (!(update instanceof Api.UpdateStory && update.story instanceof Api.StoryItem)) continue;
    if (id === undefined || id === update.story.id) return posted(update.story);
  }
  return undefined;
}

/**
 * The story of which Telegram has told the ID alone. It is posted: a look-up that fails is no failure of it, and then the
 * dates are those of the gateway's clock.
 * @param at when it was posted, milliseconds since 1970
 * @throws the signal's reason
 */
async function storyNamed(
  sending: Sending,
  id: number,
  { at, periodSeconds }: { at: number; periodSeconds: number },
  signal: LightAbortSignal,
): Promise<PostedStory> {
  const created = Math.floor(at / 1000) * 1000;
  const lookUp = (stop: LightAbortSignal): Promise<PostedStory | undefined> => storyById(sending, id, stop);
  const found = await withTimeout(sending.clock, lookUpMs, noAnswer, lookUp, signal).catch(() => undefined);
  signal.throwIfAborted();
  return found ?? { id, created, expires: created + periodSeconds * 1000 };
}

function storyIdIn(answer: Api.TypeUpdates, randomId: bigint): number | undefined {
  const wanted = randomId.toString();
  const isNamed = (update: Api.TypeUpdate): update is Api.UpdateStoryID =>
    update instanceof Api.UpdateStoryID && update.randomId?.toString() === wanted;
  return flattenUpdates(answer).find(isNamed)?.id;
}

/** Of the stories that the account shows now, the one with this caption that the posting most likely became. */
async function ownStory(
  sending: Sending,
  caption: string,
  { begunAt }: SendMark,
  signal: LightAbortSignal,
): Promise<PostedStory | undefined> {
  const { call } = sending;
  const { stories } = await call(new Api.stories.GetPeerStories({ peer: new Api.InputPeerSelf() }), signal);
  const own = stories.stories.filter((story): story is Api.StoryItem => story instanceof Api.StoryItem);
  const alike = own.filter((story) => (story.caption ?? '').trim() === caption.trim());
  const oldestFirst = alike.toSorted((a, b) => a.id - b.id);
  const found = likeliest(sending, begunAt, oldestFirst);
  return found && posted(found);
}

const posted = ({ id, date, expireDate }: Api.StoryItem): PostedStory => ({
  id,
  created: date * 1000,
  expires: expireDate * 1000,
});
