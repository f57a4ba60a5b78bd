import { startSandbox } from './sandbox.ts';

/** `npm run sandbox`. Environment: SANDBOX_PORT, SANDBOX_DC_PORT, SANDBOX_DATA, SANDBOX_SCHEMAS, SANDBOX_RATE_LIMITS. */
const portOf = (name: string, fallback: number): number => {
  const text = process.env[name];
  const port = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_530) throw new Error(`${name} must be a port`);
  return port;
};

async function main(): Promise<void> {
  // Ends with the program that forked it, even if that one is killed with -9, and even during the start.
  process.once('disconnect', () => process.exit(0));
  const sandbox = await startSandbox({
    controlPort: portOf('SANDBOX_PORT', 4400),
    dcPort: portOf('SANDBOX_DC_PORT', 4430),
    dataDir: process.env['SANDBOX_DATA'] || undefined,
    schemaFolder: process.env['SANDBOX_SCHEMAS'] || undefined,
    rateLimits: process.env['SANDBOX_RATE_LIMITS'] !== 'false',
    onDefect: (context, error) => process.stderr.write(`sandbox: ${context}: ${String(error)}\n`),
  });
  const dcs = [...sandbox.protocol.ports].map(([id, port]) => `${id} on ${port}`).join(', ');
  process.stdout.write(`sandbox: phone page and control API on ${sandbox.url}\nsandbox: data centres ${dcs}\n`);
  let closing = false;
  const stop = (): void => {
    if (closing) return;
    closing = true;
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`sandbox: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.send?.({ url: sandbox.url });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
