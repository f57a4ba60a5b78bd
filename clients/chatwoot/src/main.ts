#!/usr/bin/env node
import { Attempts } from './bridge/attempts.ts';
import { Bridge } from './bridge/bridge.ts';
import { ChatwootClient } from './chatwoot/chatwoot-client.ts';
import { type Config, readConfig } from './config.ts';
import { GatewayClient } from './gateway/gateway-client.ts';
import { log } from './log.ts';
import { startServer } from './server.ts';
import { Store } from './store/store.ts';

/** What is under way at a signal has so long: it is recorded, so nothing is lost by ending earlier. */
const closeMs = 10_000;

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const config = settings();
const store = new Store(config.dataDir);
const bridge = new Bridge({
  config,
  store,
  gateway: new GatewayClient(config),
  chatwoot: new ChatwootClient(config),
  attempts: new Attempts(log),
  log,
});
bridge.start();
const { server, port } = await startServer({ config, bridge, log });
log('info', 'listening', { host: config.host, port, pid: process.pid });

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    setTimeout(() => process.exit(0), closeMs).unref();
    server.close();
    server.closeAllConnections();
    void bridge.close().then(() => {
      store.close();
      process.exit(0);
    });
  });
}
