import { setTimeout as pause } from 'node:timers/promises';
import { startTestGateway } from '../gateway/gateway.ts';
import { logInAt } from '../gateway/log-in.ts';
import { createTemporaryFolder } from '../kit/temporary-folder.ts';
import { startTestSandbox } from '../sandbox/sandbox.ts';
import { type BridgeProgram, startBridge } from './bridge-program.ts';
import { ChatwootStandIn } from './stand-in.ts';

/** What the sandbox's control API says of a message. */
export interface PhoneMessage {
  id: number;
  out: boolean;
  text: string;
  replyTo?: number;
  media?: { kind: string; mime?: string; name?: string; sha256?: string };
}

const pollMs = 50;

export const ann = '1001';
export const bob = '1002';

/** A gateway with Ann logged in, a Chatwoot, and the bridge between them; Bob is the customer. */
export interface Desk {
  chatwoot: ChatwootStandIn;
  readonly bridge: BridgeProgram;
  /** Bob writes to Ann, or the account of `from` to the other one. @returns the message's ID as the writer sees it */
  bobWrites(message: { text?: string; media?: object; replyTo?: number }, from?: string): Promise<number>;
  /** The sandbox's control API. */
  phone<T>(method: string, path: string, body?: object): Promise<T>;
  /** A file of the control API. */
  phoneFile(path: string): Promise<ArrayBuffer>;
  /** What Bob sees of his chat with Ann since the desk was opened, the oldest first. */
  bobReads(): Promise<PhoneMessage[]>;
  /** Ends the bridge; `start` starts it again on the same data. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function openDesk(): Promise<Desk> {
  const folder = await createTemporaryFolder();
  const sandbox = await startTestSandbox();
  const gateway = await startTestGateway({ sandbox });
  const chatwoot = await new ChatwootStandIn().start();
  const { id, 'session-id': secret } = await logInAt(gateway.url, sandbox, ann);
  const setting = { gateway: { url: gateway.url, id, secret }, chatwoot, folder: folder.path };
  const readAll = (): Promise<PhoneMessage[]> => sandbox.call('GET', `/accounts/${bob}/messages?peer=${ann}&limit=500`);
  const newest = Math.max(0, ...(await readAll()).map((message) => message.id));
  let bridge = await startBridge(setting);
  await untilListening(bridge);
  return {
    chatwoot,
    get bridge() {
      return bridge;
    },
    bobWrites: async (message, from = bob) => {
      const body = { peer: from === ann ? bob : ann, ...message };
      const { messageId } = await sandbox.call<{ messageId: string }>('POST', `/accounts/${from}/messages`, body);
      return Number(messageId);
    },
    phone: (method, path, body) => sandbox.call(method, path, body),
    phoneFile: async (path) => (await fetch(`${sandbox.url}${path}`)).arrayBuffer(),
    bobReads: async () => (await readAll()).filter((message) => message.id > newest).toReversed(),
    end: (signal) => bridge.end(signal),
    start: async () => {
      bridge = await startBridge(setting);
    },
    close: async () => {
      await bridge.end('SIGKILL');
      await chatwoot.close();
      await gateway.close();
      await sandbox.close();
      await folder.remove();
    },
  };
}

/** What is written before the bridge has ever listened is not for it. */
async function untilListening({ url }: BridgeProgram): Promise<void> {
  while (!(await fetch(`${url}/health`)).ok) await pause(pollMs);
}
