/** The webhook that a trigger wants of the gateway. */
export interface WebhookWish {
  url: string;
  events: string[];
  chats: string | string[];
}

/** A webhook as the gateway has it. */
export interface GatewayWebhook extends WebhookWish {
  id: string;
  token: string;
}

/** @param chats `private`, `groups`, `channels`, `all`, or `list` with the IDs in `ids`, separated by commas */
export function wishOf(url: string, events: string[], chats: string, ids: string): WebhookWish {
  const list = ids
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return { url, events, chats: chats === 'list' ? list : chats };
}

/** Whether the gateway already tells the trigger what it wants. */
export function isAsWished(webhook: GatewayWebhook, wish: WebhookWish): boolean {
  const sorted = (values: string | string[]): string =>
    JSON.stringify(Array.isArray(values) ? values.toSorted() : values);
  return sorted(webhook.events) === sorted(wish.events) && sorted(webhook.chats) === sorted(wish.chats);
}
