import type { KurrentPlace } from '../store/kurrent-place.ts';

/** What wraps the keys of the sessions of a gateway on KurrentDB, in hex. */
export const kurrentMasterKey = 'ab'.repeat(32);

/** The settings of a gateway whose events are on a KurrentDB server: its keys must not lie beside them. */
export const onKurrentDbAt = ({ url, streamPrefix }: KurrentPlace): Record<string, string> => ({
  EVENT_STORE_URL: url,
  STREAM_PREFIX: streamPrefix,
  MASTER_KEY: kurrentMasterKey,
  MEDIA_LINK_KEYS: 'ba'.repeat(32),
});
