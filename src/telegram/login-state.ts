import type { Account } from '../../actors/session-link.ts';
import type { KnownPeer } from './peer-book.ts';

/** Telegram's counters of what an account has been told (https://core.telegram.org/api/updates). */
export interface UpdatePosition {
  pts: number;
  qts: number;
  /** Seconds since 1970, Telegram's clock. */
  date: number;
}

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

interface Written extends Omit<LoginState, 'keys' | 'peers'> {
  version: 1;
  keys: Record<string, string>;
  /** Kind by its first letter, ID, access hash. */
  peers: [string, string, string?][];
}

const kinds = { u: 'user', g: 'group', c: 'channel' } as const;

/** JSON; secret as a whole. */
export function writeLogin(state: LoginState): string {
  const written: Written = {
    version: 1,
    ...state,
    keys: Object.fromEntries([...state.keys].map(([dc, key]) => [dc, key.toString('base64')])),
    peers: state.peers.map(({ kind, id, hash }) =>
      hash === undefined ? [kind.charAt(0), id] : [kind.charAt(0), id, hash],
    ),
  };
  return JSON.stringify(written);
}

/** Undefined where the text is none of ours: then there is no login. */
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
    peers: peers.flatMap(([letter, id, hash]) => {
      const kind = kinds[letter as keyof typeof kinds];
      return kind === undefined ? [] : [hash === undefined ? { kind, id } : { kind, id, hash }];
    }),
  };
}
