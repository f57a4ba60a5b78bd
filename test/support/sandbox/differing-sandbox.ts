import { createRpcService } from '../../../sandbox/api/rpc-service.ts';
import { createControlServer } from '../../../sandbox/control/control-server.ts';
import { createProtocolServer } from '../../../sandbox/mtproto/protocol-server.ts';
import type { RpcCall, TlResult } from '../../../sandbox/rpc.ts';
import { prepareSeed } from '../../../sandbox/world/seed/seed.ts';
import { World } from '../../../sandbox/world/world.ts';

/** What becomes of a call: `answer` gives the sandbox's own answer, or throws its error. */
export type Change = (call: RpcCall, answer: () => Promise<TlResult>) => Promise<TlResult>;

/** A sandbox whose answers are changed: it stands for a Telegram that the sandbox differs from. */
export async function startDifferingSandbox(change: Change): Promise<{ url: string; close(): Promise<void> }> {
  const seed = await prepareSeed();
  const world = new World({ rateLimits: false });
  world.open(seed);
  const service = createRpcService({ world, ports: () => protocol.addresses });
  const protocol = createProtocolServer({
    service: { ...service, call: (call) => change(call, async () => service.call(call)) },
    dcs: [1, 2, 3, 4, 5].map((id) => ({ id, port: 0 })),
    worldClock: world.clock,
  });
  world.protocol = protocol;
  const control = await createControlServer({ world, protocol, seed });
  await protocol.listen();
  const url = await control.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    close: async () => {
      await control.close();
      await protocol.close();
      world.close();
    },
  };
}
