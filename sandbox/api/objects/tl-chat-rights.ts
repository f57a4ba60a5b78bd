import type { TlObject } from '../../rpc.ts';
import { adminRightNames, bannedRightNames, defaultBannedOf } from '../../world/chats/rights.ts';
import type { ChatRow } from '../../world/state/rows.ts';

/** The `until_date` of what does not end. */
const never = 0x7fffffff;

export function tlAdminRights(rights: readonly string[]): TlObject {
  return flags('chatAdminRights', adminRightNames, rights);
}

/** `until`: seconds since 1970; 0 if it is permanent. */
export function tlBannedRights(rights: readonly string[], until = 0): TlObject {
  return { ...flags('chatBannedRights', bannedRightNames, rights), until_date: until || never };
}

/** What ordinary members may not do. */
export function tlDefaultBannedRights(chat: ChatRow): TlObject {
  return tlBannedRights(defaultBannedOf(chat));
}

function flags(name: string, all: readonly string[], set: readonly string[]): TlObject {
  return { _: name, ...Object.fromEntries(all.map((flag) => [flag, set.includes(flag)])) };
}

/** The flags that are set in `chatAdminRights` or `chatBannedRights`. */
export function rightsIn(input: TlObject): string[] {
  return [...adminRightNames, ...bannedRightNames].filter((name, index, all) => {
    return input[name] === true && all.indexOf(name) === index;
  });
}
