import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** The reactions that Telegram offers to all users, with their titles. */
export const availableReactions: readonly (readonly [emoji: string, title: string])[] = [
  ['❤', 'Red Heart'],
  ['👍', 'Thumbs Up'],
  ['👎', 'Thumbs Down'],
  ['🔥', 'Fire'],
  ['🥰', 'Smiling Face with Hearts'],
  ['👏', 'Clapping Hands'],
  ['😁', 'Beaming Face'],
  ['🤔', 'Thinking Face'],
  ['🤯', 'Exploding Head'],
  ['😱', 'Screaming Face'],
  ['🤬', 'Face with Symbols on Mouth'],
  ['😢', 'Crying Face'],
  ['🎉', 'Party Popper'],
  ['🤩', 'Star-Struck'],
  ['🤮', 'Vomiting Face'],
  ['💩', 'Pile of Poo'],
  ['🙏', 'Folded Hands'],
  ['👌', 'OK Hand'],
  ['🕊', 'Dove'],
  ['🤡', 'Clown Face'],
  ['🥱', 'Yawning Face'],
  ['🥴', 'Woozy Face'],
  ['😍', 'Heart Eyes'],
  ['🐳', 'Spouting Whale'],
  ['💯', 'Hundred Points'],
  ['🤣', 'Rolling on the Floor Laughing'],
  ['⚡', 'High Voltage'],
  ['🏆', 'Trophy'],
  ['💔', 'Broken Heart'],
  ['😐', 'Neutral Face'],
  ['🍓', 'Strawberry'],
  ['🍾', 'Champagne'],
  ['😎', 'Face with Sunglasses'],
  ['👀', 'Eyes'],
  ['🤝', 'Handshake'],
  ['🎄', 'Christmas Tree'],
];

const known = new Set(availableReactions.map(([emoji]) => emoji));

/** The emoji without its variation selector: Telegram's names of reactions have none. */
const bare = (emoji: string): string => emoji.replaceAll('\u{FE0F}', '');

/** The reaction as it is stored; undefined if Telegram has no such reaction. */
export function knownReaction(emoji: string): string | undefined {
  return known.has(bare(emoji)) ? bare(emoji) : undefined;
}

/** Whether a chat allows the reaction. Custom emojis are allowed in groups by name only. */
export function isAllowedIn(chat: ChatRow | undefined, key: string): boolean {
  if (chat?.reactions) return chat.reactions.includes(key);
  return !key.startsWith('custom:') || chat === undefined || chat.megagroup === true || chat.kind === 'chat';
}

/** Adds to the reactions that a user has given lately. */
export function rememberReactions(world: World, userId: number, keys: readonly string[]): void {
  const user = world.tables.users.get(userId);
  if (!user) return;
  const older = (user.recentReactions ?? []).filter((key) => !keys.includes(key));
  world.tables.users.put({ ...user, recentReactions: [...keys, ...older].slice(0, maxRecentReactions) });
}

/** Telegram keeps as many (https://core.telegram.org/method/messages.getRecentReactions gives them in pages). */
const maxRecentReactions = 50;
