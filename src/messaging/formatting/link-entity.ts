import type { Style } from './markup.ts';

/** The style of a link: `tg://user?id=…` mentions a user, any other URL is a link. */
export function linkEntity(url: string): Style {
  const userId = /^tg:\/\/user\?id=(\d{1,19})$/.exec(url)?.[1];
  return userId === undefined ? { type: 'link', url } : { type: 'mention', userId };
}
