import type { Style } from './markup.ts';

/** A link's style: `tg://user?id=…` mentions a user, as everywhere on Telegram. */
export function linkEntity(url: string): Style {
  const userId = /^tg:\/\/user\?id=(\d{1,19})$/.exec(url)?.[1];
  return userId === undefined ? { type: 'link', url } : { type: 'mention', userId };
}
