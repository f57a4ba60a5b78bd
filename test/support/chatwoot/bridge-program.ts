import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChatwootStandIn } from './stand-in.ts';
import { accessToken, inboxId, webhookSecret } from './stand-in.ts';

const mainFile = fileURLToPath(new URL('../../../clients/chatwoot/src/main.ts', import.meta.url));

/** The bridge as a process of its own, to be killed and started again. */
export interface BridgeProgram {
  url: string;
  child: ChildProcess;
  /** All it has logged. */
  output(): string;
  /** Sends the signal and waits for the end; the exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface BridgeSetting {
  gateway: { url: string; id: string; secret: string };
  chatwoot: ChatwootStandIn;
  folder: string;
}

/** Starts the bridge, waits until it listens, and names its webhook to Chatwoot. @throws with what it said if it ends */
export async function startBridge({ gateway, chatwoot, folder }: BridgeSetting): Promise<BridgeProgram> {
  const child = spawn(process.execPath, ['--import', 'tsx', mainFile], {
    env: {
      PATH: process.env['PATH'],
      GATEWAY_URL: gateway.url,
      SESSION_ID: gateway.id,
      SESSION_SECRET: gateway.secret,
      CHATWOOT_URL: chatwoot.url,
      CHATWOOT_ACCOUNT_ID: '1',
      CHATWOOT_INBOX_ID: String(inboxId),
      CHATWOOT_ACCESS_TOKEN: accessToken,
      CHATWOOT_WEBHOOK_SECRET: webhookSecret,
      DATA_DIR: folder,
      PORT: '0',
      MAX_FILE_MB: '1',
      CATCH_UP_SECONDS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const found = /"message":"listening".*"port":(\d+)/.exec(text)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
    }
    void ended.then(() => reject(new Error(`the bridge ended:\n${text}`)));
  });
  const url = `http://127.0.0.1:${port}`;
  chatwoot.webhookUrl = `${url}/webhook`;
  return {
    url,
    child,
    output: () => text,
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
