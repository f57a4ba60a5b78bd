/** What a gateway needs to be told to keep its events on a KurrentDB server: its keys, too, are not to lie beside it. */
export const onKurrentDbAt = (url: string): Record<string, string> => ({
  EVENT_STORE_URL: url,
  MASTER_KEY: 'ab'.repeat(32),
  MEDIA_LINK_KEYS: 'ba'.repeat(32),
});
