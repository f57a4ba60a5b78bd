import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRpcService } from './api/rpc-service.ts';
import { createControlServer } from './control/control-server.ts';
import { createProtocolServer, type RunningProtocolServer } from './mtproto/protocol-server.ts';
import { prepareSeed } from './world/seed/seed.ts';
import { type SandboxClock, World } from './world/world.ts';

export interface SandboxOptions {
  /** Control API and phone page; 0: a free port. */
  controlPort: number;
  /** Data centre N listens on this + N; 0: free ports. */
  dcPort: number;
  /** A folder in which logins, keys and everything written survive kill -9; without one all is kept in memory. */
  dataDir?: string | undefined;
  /** Domain time: token expiry, dates, slow mode. The protocol's own time is real. */
  clock?: SandboxClock | undefined;
  /** How many updates a difference holds; Telegram's number is its own secret. */
  differenceSlice?: number | undefined;
  /** Hears of defects of the sandbox itself: a verb that threw what is no Telegram error. */
  failed?: ((context: string, error: unknown) => void) | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:4400` */
  readonly url: string;
  readonly world: World;
  readonly protocol: RunningProtocolServer;
  close(): Promise<void>;
}

const dcIds = [1, 2, 3, 4, 5];

/** Starts a Telegram on loopback. Prints nothing. @throws where a port is taken */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { controlPort, dcPort, dataDir, clock, differenceSlice, failed } = options;
  const seed = await prepareSeed();
  const world = new World({
    ...(clock ? { clock } : {}),
    ...(dataDir ? { folder: dataDir } : {}),
    ...(differenceSlice ? { differenceSlice } : {}),
  });
  world.open(seed);
  const service = createRpcService({ world, ports: () => protocol.ports, failed });
  const protocol = createProtocolServer({
    service,
    dcs: dcIds.map((id) => ({ id, port: dcPort === 0 ? 0 : dcPort + id })),
    rsaKey: dataDir ? readRsaKey(dataDir) : undefined,
    keys: [...world.keys.values()],
  });
  world.protocol = protocol;
  const control = await createControlServer({ world, protocol, seed });
  const close = async (): Promise<void> => {
    await control.close();
    await protocol.close();
    world.close();
  };
  try {
    await protocol.listen();
    await control.listen({ host: '127.0.0.1', port: controlPort });
    // Not before the ports are ours: another sandbox may be at work in that folder.
    if (dataDir) keepRsaKey(dataDir, protocol.rsaKeyPem);
    world.startJournal();
  } catch (error) {
    await close();
    throw error;
  }
  const address = control.server.address();
  const port = typeof address === 'object' && address ? address.port : controlPort;
  return { url: `http://127.0.0.1:${port}`, world, protocol, close };
}

/** Clients know the server by this key: it must not change as long as their logins live. */
const rsaKeyFile = 'rsa-key.pem';

function readRsaKey(folder: string): string | undefined {
  const path = join(folder, rsaKeyFile);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function keepRsaKey(folder: string, pem: string): void {
  const path = join(folder, rsaKeyFile);
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.new`, pem, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
