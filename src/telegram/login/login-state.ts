import type { Account, CodeChannel } from '../../../actors/ports/telegram-session.ts';
import { withOwnMemory } from '../../memory/own-memory.ts';
import type { KnownPeer } from '../peer-cache.ts';
import type { UpdatePosition } from '../port/updates.ts';

/** What a log-out at Telegram needs of a login. */
export interface LoginKey {
  dc: number;
  /** 256 bytes */
  key: Buffer;
}

/** A login code that Telegram has sent. */
export interface SentLoginCode {
  /** Digits. */
  phone: string;
  /** Telegram's name for the code. */
  hash: string;
  to: CodeChannel;
  /** How many were sent in this login attempt, with this one. */
  number: number;
}

/** Where the updates of a supergroup or channel have come to. */
export interface ChannelBox {
  /** `-1003001` */
  id: string;
  pts: number;
  /** The last message that the account has read, and the last of its own that another has. */
  readInbox: number;
  readOutbox: number;
}

/** Everything that a connection to a logged-in account needs, or to one that still needs its password. */
export interface LoginState {
  /** `code`: a login code was sent; `password`: the two-step password is required. */
  stage: 'code' | 'password' | 'complete';
  /** Only in the stage `code`. */
  code?: SentLoginCode;
  /** The account is a bot: only its token can log it in again, and that is not kept. */
  isBot?: true;
  /** The account's home data centre. */
  dc: number;
  /** Authorisation keys of 256 bytes by data centre. They hold no address, so any port works (D10). */
  keys: Map<number, Buffer>;
  /** The last reported account. */
  account?: Account;
  /** Whether the account was last seen with Telegram Premium. */
  isPremium?: boolean;
  /** Telegram's ID of the last fetched profile photo. */
  photoId?: string;
  position?: UpdatePosition;
  /** Only while updates of groups or channels are wanted. */
  channels?: ChannelBox[] | undefined;
  peers: KnownPeer[];
  /**
   * The URL of the session's proxy when this was stored. It counts if the recorded one is not known: for the log-out of a
   * deleted session, and of one whose creation was not recorded.
   */
  proxy?: string;
  /** The session's logins before this one that may still be open at Telegram. They are logged out once this one is complete. */
  former?: readonly LoginKey[];
}

/** A login, and those before it, as far as they may be open at Telegram. */
export function loginKeys({ dc, keys, former = [] }: LoginState): LoginKey[] {
  const key = keys.get(dc);
  return key === undefined ? [...former] : [...former, { dc, key }];
}

/**
 * As much of a stored login as a log-out needs, without the account; undefined if it has no key.
 * @param recordedProxy the URL of the session's proxy, empty if there is none; undefined: that of the login counts
 * @throws it is no login
 */
export function loginForLogOut(text: string, recordedProxy?: string): string | undefined {
  const login = readLogin(text);
  if (login === undefined) throw new Error('the stored login has an unknown form');
  const { stage, dc, keys, former = [] } = login;
  const key = keys.get(dc);
  if (key === undefined && former.length === 0) return undefined;
  const proxy = recordedProxy ?? login.proxy;
  return writeLogin({ stage, dc, keys: new Map(key && [[dc, key]]), peers: [], former, ...(proxy && { proxy }) });
}

/** The later position. Telegram's clock decides, because its counters may restart. */
export function laterPosition(
  one: UpdatePosition | undefined,
  other: UpdatePosition | undefined,
): UpdatePosition | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.date > one.date || (other.date === one.date && other.pts > one.pts) ? other : one;
}

interface Written extends Omit<LoginState, 'keys' | 'peers' | 'former'> {
  version: 1;
  keys: Record<string, string>;
  /** First letter of the kind, in upper case if the account has left; ID; access hash. */
  peers: [string, string, string?][];
  former?: [dc: number, key: string][];
}

const kinds = { u: 'user', g: 'group', c: 'channel' } as const;

/** As JSON. All of it is secret. */
export function writeLogin(state: LoginState): string {
  const { former = [], ...rest } = state;
  const written: Written = {
    version: 1,
    ...rest,
    keys: Object.fromEntries([...state.keys].map(([dc, key]) => [dc, key.toString('base64')])),
    peers: state.peers.map(writePeer),
    ...(former.length > 0 && { former: former.map(({ dc, key }) => [dc, key.toString('base64')]) }),
  };
  return JSON.stringify(written);
}

/** Undefined if the text is no login, or a later version wrote it. */
export function readLogin(text: string): LoginState | undefined {
  let written: Written;
  try {
    written = JSON.parse(text) as Written;
  } catch {
    return undefined;
  }
  if (written?.version !== 1) return undefined;
  const { version: _version, keys, peers, former, ...rest } = written;
  return {
    ...rest,
    keys: new Map(Object.entries(keys).map(([dc, key]) => [Number(dc), readKey(key)])),
    peers: peers.flatMap((row) => readPeer(row) ?? []),
    ...(former && { former: former.map(([dc, key]) => ({ dc, key: readKey(key) })) }),
  };
}

function writePeer({ kind, id, hash, left }: KnownPeer): Written['peers'][number] {
  const letter = left ? kind.charAt(0).toUpperCase() : kind.charAt(0);
  return hash === undefined ? [letter, id] : [letter, id, hash];
}

function readPeer([letter, id, hash]: Written['peers'][number]): KnownPeer | undefined {
  const kind = kinds[letter.toLowerCase() as keyof typeof kinds];
  if (kind === undefined) return undefined;
  return { kind, id, ...(hash !== undefined && { hash }), ...(letter !== letter.toLowerCase() && { left: true }) };
}

const readKey = (base64: string): Buffer => withOwnMemory(Buffer.from(base64, 'base64'));
