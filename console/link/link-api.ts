import { fetchJson } from '../api/request.ts';

/** What the gateway says of a customer's link (OS5). */
export interface ShownLink {
  /** `waiting`: there is no session; `used`: the account is connected, and the link is used up. */
  state: 'waiting' | 'qrPending' | 'codeRequired' | 'passwordRequired' | 'connected' | 'disconnected' | 'used';
  /** When the state ends by itself, ISO 8601; empty if it does not. */
  deadline: string;
  /** Base64 of a PNG; empty in every state but `qrPending`. */
  qrcode: string;
  /** How the login code was sent; empty in every state but `codeRequired`. */
  codeSentTo: string;
  /** How many more sessions the link can make. */
  sessionsLeft: number;
}

/** The root of the gateway's API: this page is its `link/`. */
const gatewayUrl = new URL('../', location.href);

/** The token stands after `#`, so no server ever gets it with the page's address. */
const token = (): string => location.hash.slice(1);

const call = (method: string, path: string, body?: object, signal?: AbortSignal): Promise<ShownLink> =>
  fetchJson<ShownLink>(new URL(`link/${path}`, gatewayUrl), {
    method,
    headers: { 'link-token': token(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });

export const getLink = (signal: AbortSignal): Promise<ShownLink> => call('GET', 'session', undefined, signal);
export const openSession = (): Promise<ShownLink> => call('POST', 'session');
export const sendPhone = (phone: string): Promise<ShownLink> => call('POST', 'login', { phone });
export const sendCode = (code: string): Promise<ShownLink> => call('POST', 'code', { code });
export const sendPassword = (password: string): Promise<ShownLink> => call('POST', 'password', { password });
