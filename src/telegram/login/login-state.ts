import type { Account } from '../../../actors/ports/telegram-session.ts';
import type { KnownPeer } from '../peer-cache.ts';
import type { UpdatePosition } from '../port/updates.ts';

/** All that a connection to a logged-in (or half logged-in) account needs. */
export interface LoginState {
  /** `password`: the QR has been scanned, the two-step password is still to be given. */
  stage: 'password' | 'complete';
  /** The data centre that the account lives in. */
  dc: number;
  /** Authorisation keys of 256 bytes by data centre. They carry no address, so a port of any size is fine (D10). */
  keys: Map<number, Buffer>;
  /** As last reported. */
  account?: Account;
  /** Telegram's ID of the profile photo that was last fetched. */
  photoId?: string;
  position?: UpdatePosition;
  peers: KnownPeer[];
}

/** The one further on: Telegram's clock decides, for a count may begin anew. */
export function laterPosition(
  one: UpdatePosition | undefined,
  other: UpdatePosition | undefined,
): UpdatePosition | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.date > one.date || (other.date === one.date && other.pts > one.pts) ? other : one;
}

interface Written extends Omit<LoginState, 'keys' | 'peers'> {
  version: 1;
  keys: Record<string, string>;
  /** Kind by its first letter, upper case where the account has left; ID; access hash. */
  peers: [string, string, string?][];
}

const kinds = { u: 'user', g: 'group', c: 'channel' } as const;

/** JSON; secret as a whole. */
export function writeLogin(state: LoginState): string {
  const written: Written = {
    version: 1,
    ...state,
    keys: Object.fromEntries([...state.keys].map(([dc, key]) => [dc, key.toString('base64')])),
    peers: state.peers.map(writePeer),
  };
  return JSON.stringify(written);
}

/** Undefined if the text is none of ours, or a later version has written it. */
export function readLogin(text: string): LoginState | undefined {
  let written: Written;
  try {
    written = JSON.parse(text) as Written;
  } catch {
    return undefined;
  }
  if (written?.version !== 1) return undefined;
  const { version: _version, keys, peers, ...rest } = written;
  return {
    ...rest,
    keys: new Map(Object.entries(keys).map(([dc, key]) => [Number(dc), Buffer.from(key, 'base64')])),
    peers: peers.flatMap((row) => readPeer(row) ?? []),
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
