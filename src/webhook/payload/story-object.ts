import type { Static, TObject } from 'typebox';
import { entityObject } from '../../chats/entity-object.ts';
import { type LinkTo, messageContent } from '../../chats/message-content.ts';
import { userObject } from '../../chats/message-object.ts';
import type { storyFields, userFields } from '../../chats/message-schema.ts';
import { type FileVariant, storyPrefix } from '../../telegram/port/files.ts';
import type { ChatUser, Story } from '../../telegram/port/updates.ts';

type StoryObject = Static<TObject<typeof storyFields>> & {
  user: { id: string } & Static<TObject<typeof userFields>>;
  storyId: string;
  expires: string;
};

/** A story of a person or a channel, with links to its files. */
export function storyObject({ user, ...story }: Story & { user: ChatUser }, linkTo: LinkTo): StoryObject {
  const { storyId, expires, text, entities = [], media } = story;
  const linkToStory: LinkTo = (ref, ext) =>
    linkTo({ ...ref, variant: `${storyPrefix}${ref.variant as FileVariant}` }, ext);
  const isShown = media?.kind === 'photo' || media?.kind === 'video';
  const message = {
    id: storyId,
    chatId: user.id,
    created: 0,
    fromMe: false,
    text,
    media: isShown ? media : ({ kind: 'unsupported' } as const),
  };
  return {
    user: userObject(user, linkTo),
    storyId: String(storyId),
    ...(messageContent(message, linkToStory) as Static<TObject<typeof storyFields>>),
    entities: entities.map(entityObject),
    expires: new Date(expires).toISOString(),
  };
}
