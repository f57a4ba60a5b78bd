import { request } from './request.ts';
import type { SessionStats } from './types.ts';

/** How the gateway is doing: its sessions now, and what happened in the window. */
export const loadStats = (window: SessionStats['window'], signal: AbortSignal): Promise<SessionStats> =>
  request('GET', `/sessions/stats?window=${window}&history=true`, { signal });
