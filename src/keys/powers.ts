import type { KeyLimits } from './key-events.ts';
import { type KeyScope, keyScopes } from './scopes.ts';

/** What a caller may do. */
export interface Powers {
  scopes: readonly KeyScope[];
  /** Undefined: all tenants, and sessions of none. */
  tenant?: string | undefined;
  /** Until when, milliseconds since 1970. Undefined: without an end. */
  expires?: number | undefined;
  limits?: KeyLimits | undefined;
  /** IDs of the only chats in which it uses accounts (KY5). Undefined: all of them. */
  chats?: readonly string[] | undefined;
}

/** The powers of the owner of the service. */
export const allPowers: Powers = { scopes: keyScopes };

/**
 * Why a key may not be issued: it would have more than its issuer (KY1).
 * @returns a line for each reason
 */
export function beyondPowers(wish: Powers, issuer: Powers): string[] {
  const missing = wish.scopes.filter((scope) => !issuer.scopes.includes(scope));
  const outside = wish.chats?.filter((id) => issuer.chats?.includes(id) === false) ?? [];
  const isLater = issuer.expires !== undefined && (wish.expires ?? Infinity) > issuer.expires;
  return [
    ...(missing.length > 0 ? [`scopes must be among those of the key that issues it: ${missing.join(', ')}`] : []),
    ...(issuer.tenant !== undefined && wish.tenant !== issuer.tenant ? [`tenant must be ${issuer.tenant}`] : []),
    ...(['sessions', 'sendsPerDay'] as const).flatMap((name) => {
      const most = issuer.limits?.[name] ?? Infinity;
      return (wish.limits?.[name] ?? Infinity) > most ? [`limits.${name} must be at most ${most}`] : [];
    }),
    ...(issuer.chats !== undefined && wish.chats === undefined
      ? ['chats must be among those of the key that issues it']
      : []),
    ...(outside.length > 0 ? [`chats must be among those of the key that issues it: ${outside.join(', ')}`] : []),
    ...(isLater ? [`expires must not be after ${new Date(issuer.expires ?? 0).toISOString()}`] : []),
  ];
}
