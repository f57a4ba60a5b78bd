/** What keys may do (KY1). `docs/openapi.json` says of each endpoint which scope it takes. */
export const keyScopes = [
  'sessions:create',
  'sessions:read',
  'sessions:control',
  'accounts',
  'raw',
  'strings',
  'metrics',
  'keys',
] as const;
export type KeyScope = (typeof keyScopes)[number];
