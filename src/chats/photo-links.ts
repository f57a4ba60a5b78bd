import type { LinkTo } from './message-content.ts';

/**
 * As `linkTo`, for the objects of one response: each profile photo is signed once. The messages of a page have few
 * authors, and to sign a photo for each message was a third of the time that a page took.
 */
export function signingPhotosOnce(linkTo: LinkTo): LinkTo {
  const links = new Map<string, string>();
  return (ref, ext) => {
    if (ref.variant !== 'profile') return linkTo(ref, ext);
    const key = `${ref.chatId}/${ref.messageId}.${ext}`;
    const known = links.get(key);
    if (known !== undefined) return known;
    const made = linkTo(ref, ext);
    links.set(key, made);
    return made;
  };
}
