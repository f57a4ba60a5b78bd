import { type Static, Type } from 'typebox';
import { proxyUrl } from '../shared/fields.ts';
import { text } from '../shared/openapi/describe.ts';

/** `PUT /session/proxy` (LG3). */
export const ProxyBody = Type.Object({ url: proxyUrl });
export type ProxyBody = Static<typeof ProxyBody>;

export const SessionProxy = Type.Object(
  { url: text('`socks5://host:port`, `http://host:port` or `tg://proxy?server=…`. Empty while there is no proxy.') },
  { additionalProperties: false, description: 'The proxy, without its user name, password or secret.' },
);
export type SessionProxy = Static<typeof SessionProxy>;

export const ProxyResponse = Type.Object(
  { id: text('Session ID.'), proxy: SessionProxy },
  { additionalProperties: false },
);
export type ProxyResponse = Static<typeof ProxyResponse>;
