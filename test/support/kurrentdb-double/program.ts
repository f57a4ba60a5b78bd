import { KurrentDbDouble } from './server.ts';

/**
 * The tests' KurrentDB server as a process of its own, empty, until it is told to end: for what is measured beside it, and
 * to try a gateway by hand on (`npx tsx test/support/kurrentdb-double/program.ts`, on KURRENTDB_DOUBLE_PORT or any free
 * port). It keeps everything in memory.
 */
const double = new KurrentDbDouble();
double.port = Number(process.env['KURRENTDB_DOUBLE_PORT'] ?? 0);
await double.start();
process.stdout.write(`${double.url}\n`);
process.send?.({ url: double.url });
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // A channel to a parent would keep it alive.
  process.once(signal, () => void double.stop().then(() => process.exit()));
}
