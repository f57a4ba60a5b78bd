import { GatewayError } from '../errors/gateway-error.ts';

/** The fields of a request that name a recipient. Empty and missing are the same. */
export interface RecipientFields {
  group?: string | undefined;
  channel?: string | undefined;
  user?: string | undefined;
  username?: string | undefined;
  phone?: string | undefined;
}

/** A recipient of a message. IDs are written as in the interface: `1001`, `-2001`, `-1003001`. */
export type Recipient =
  | { kind: 'group' | 'channel' | 'user'; by: 'id'; id: string }
  | { kind: 'group' | 'channel' | 'username'; by: 'username'; username: string }
  | { kind: 'phone'; by: 'phone'; digits: string };

const minPhoneDigits = 8;
/** A user, group or channel. */
export const idPattern = /^-?[1-9]\d{0,18}$/;
/** IDs of users are positive; a chat's ID is no user. */
const userIdPattern = /^[1-9]\d{0,18}$/;
/** The characters that Telegram allows. Telegram decides about the length: it has sold some very short names. */
const usernamePattern = /^[a-z]\w{0,31}$/i;
const linkPatterns = [
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me)\/([^/?#]+)\/?(?:[?#].*)?$/i,
  /^tg:\/\/resolve\/?\?(?:[^#]*&)?domain=([^&#]+)/i,
];

/**
 * The recipient by the interface's priority: group, channel, user, username, phone.
 * @param noneMessage the message if no field is filled
 * @throws {GatewayError} 400: no recipient, or an impossible one
 */
export function readRecipient(
  fields: RecipientFields,
  noneMessage = 'invalid phone, username, user, group or channel',
): Recipient {
  const group = filled(fields.group);
  if (group !== undefined) return readChat('group', group);
  const channel = filled(fields.channel);
  if (channel !== undefined) return readChat('channel', channel);
  const user = filled(fields.user);
  if (user !== undefined) return userFrom(user);
  const username = filled(fields.username);
  if (username !== undefined) return { kind: 'username', by: 'username', username: usernameFrom(username) };
  const phone = filled(fields.phone);
  if (phone !== undefined) return { kind: 'phone', by: 'phone', digits: digitsOf(phone) };
  throw new GatewayError(400, noneMessage);
}

/** A group or channel by its ID or public username. @throws {GatewayError} 400: it can be neither */
export function readChat(kind: 'group' | 'channel', text: string): Recipient {
  return idPattern.test(text) ? { kind, by: 'id', id: text } : { kind, by: 'username', username: usernameFrom(text) };
}

function userFrom(text: string): Recipient {
  if (!userIdPattern.test(text)) throw new GatewayError(400, 'chat not found');
  return { kind: 'user', by: 'id', id: text };
}

/** The bare username from any of the forms of MS1. @throws {GatewayError} 400: it cannot be a username */
function usernameFrom(text: string): string {
  const linked = linkPatterns.map((pattern) => pattern.exec(text)?.[1]).find((name) => name !== undefined);
  const name = linked ?? text.replace(/^@/, '');
  if (!usernamePattern.test(name)) throw new GatewayError(400, 'invalid chat');
  return name;
}

function digitsOf(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < minPhoneDigits) throw new GatewayError(400, 'invalid receiver');
  return digits;
}

/** A field of blanks counts as empty. */
function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
