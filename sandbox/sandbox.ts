import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { carryOutDue } from './api/push/carry-out-due.ts';
import { createRpcService } from './api/rpc-service.ts';
import { createControlServer } from './control/control-server.ts';
import { createProtocolServer, type RunningProtocolServer } from './mtproto/protocol-server.ts';
import { addSchemas } from './tl/layers.ts';
import { prepareSeed } from './world/seed/seed.ts';
import { type SandboxClock, World } from './world/world.ts';

export interface SandboxOptions {
  /** Port of the control API and the phone page; 0: any free port. */
  controlPort: number;
  /** Data centre N listens on this port + N; 0: any free ports. */
  dcPort: number;
  /** A folder in which all state survives kill -9; without one it is in memory only. */
  dataDir?: string | undefined;
  /** A folder of `layerN.tl` files: layers of the API besides the sandbox's own. */
  schemaFolder?: string | undefined;
  /** The server's RSA key as PEM; the default is the folder's, or a new one. Making one takes a tenth of a second. */
  rsaKey?: string | undefined;
  /** The world's time: token expiry, dates, slow mode. The protocol uses real time, except for the age of salts. */
  clock?: SandboxClock | undefined;
  /** Updates in one difference. Telegram's own number is not published. */
  differenceSlice?: number | undefined;
  /** False: accounts may make every call as often as they like, for tests of speed; true if left out. */
  rateLimits?: boolean | undefined;
  /** Called on a defect of the sandbox: a method threw an error that is not one of Telegram's. */
  onDefect?: ((context: string, error: unknown) => void) | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:4400` */
  readonly url: string;
  readonly world: World;
  readonly protocol: RunningProtocolServer;
  close(): Promise<void>;
}

const dcIds = [1, 2, 3, 4, 5];

/** How often it is looked what is due by the world's clock; before each call it is too. */
const dueEveryMs = 500;

/** Starts a Telegram on loopback. Prints nothing. @throws if a port is in use, or the schemas cannot be read */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { controlPort, dcPort, dataDir, clock, differenceSlice, rateLimits = true, onDefect } = options;
  if (options.schemaFolder) addSchemas(options.schemaFolder);
  const rsaKey = options.rsaKey ?? (dataDir ? readRsaKey(dataDir) : undefined);
  const seed = await prepareSeed();
  const world = new World({
    ...(clock ? { clock } : {}),
    ...(dataDir ? { folder: dataDir } : {}),
    ...(differenceSlice ? { differenceSlice } : {}),
    rateLimits,
  });
  world.open(seed);
  const service = createRpcService({ world, ports: () => protocol.addresses, onDefect });
  const protocol = createProtocolServer({
    service,
    dcs: dcIds.map((id) => ({ id, port: dcPort === 0 ? 0 : dcPort + id })),
    rsaKey,
    keys: [...world.tables.keys.values()],
    worldClock: world.clock,
  });
  world.protocol = protocol;
  const control = await createControlServer({ world, protocol, seed });
  let due: NodeJS.Timeout | undefined;
  const close = async (): Promise<void> => {
    clearInterval(due);
    await control.close();
    await protocol.close();
    world.close();
  };
  try {
    await protocol.listen();
    await control.listen({ host: '127.0.0.1', port: controlPort });
    // Only now: until the ports are taken, another sandbox may be running in this folder.
    if (dataDir) writeRsaKey(dataDir, protocol.rsaKeyPem);
    world.startJournal();
    due = setInterval(() => carryOutDue(world), dueEveryMs).unref();
  } catch (error) {
    await close();
    throw error;
  }
  const address = control.server.address();
  const port = typeof address === 'object' && address ? address.port : controlPort;
  return { url: `http://127.0.0.1:${port}`, world, protocol, close };
}

/** Clients recognise the server by this key. It must not change while their logins are valid. */
const rsaKeyFile = 'rsa-key.pem';

function readRsaKey(folder: string): string | undefined {
  const path = join(folder, rsaKeyFile);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function writeRsaKey(folder: string, pem: string): void {
  const path = join(folder, rsaKeyFile);
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.new`, pem, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
