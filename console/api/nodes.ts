import { request } from './request.ts';
import type { Nodes } from './types.ts';

/** The gateways that share the store, with the API key or a key of the scope `sessions:read`. */
export const loadNodes = (signal: AbortSignal): Promise<Nodes> => request('GET', '/nodes', { signal });
