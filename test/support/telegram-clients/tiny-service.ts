import { type RpcCall, RpcError, type RpcHandler, type RpcService, type StoredKey } from '../../../sandbox/rpc.ts';

/** A Telegram of one user and three methods, which notes what it is asked; a test adds the methods that it needs. */
export function tinyService(more: Record<string, RpcHandler> = {}) {
  const calls: RpcCall[] = [];
  const failures: unknown[] = [];
  const stored = new Map<string, StoredKey>();
  const handlers: Record<string, RpcHandler> = {
    'help.getConfig': ({ dc }) => ({
      _: 'config',
      date: 1_700_000_000,
      expires: 2_000_000_000,
      this_dc: dc,
      dc_options: [{ _: 'dcOption', id: dc, ip_address: '127.0.0.1', port: 443 }],
    }),
    'users.getUsers': () => [{ _: 'user', id: 1001n, first_name: 'Ann', self: true }],
    'updates.getState': () => ({ _: 'updates.state', pts: 1, qts: 0, date: 1, seq: 0, unread_count: 0 }),
    'updates.getDifference': () => ({ _: 'updates.differenceEmpty', date: 1, seq: 0 }),
    ...more,
  };
  const service: RpcService = {
    call(call) {
      calls.push(call);
      const handler = handlers[call.method];
      if (!handler) throw new RpcError(400, 'METHOD_INVALID');
      return handler(call);
    },
    keyChanged: (_key, entry) => void stored.set(entry.id, entry),
    keyForgotten: (id) => void stored.delete(id),
    onDefect: (_context, error) => void failures.push(error),
  };
  return {
    service,
    calls,
    failures,
    stored,
    countOf: (method: string) => calls.filter((call) => call.method === method).length,
  };
}
