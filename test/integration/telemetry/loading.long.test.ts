import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Which packages of OpenTelemetry a program has loaded when it has done `what`. */
async function loadedBy(what: string): Promise<string[]> {
  const from = (module: string): string => JSON.stringify(new URL(`../../../src/${module}`, import.meta.url).href);
  const program = `
    import { createRequire } from 'node:module';
    ${what.replaceAll(/from:([\w./-]+)/g, (_all, module: string) => from(module))}
    const paths = Object.keys(createRequire(import.meta.url).cache);
    const names = paths.map((path) => /node_modules.(@opentelemetry.[^\\\\/]+)/.exec(path)?.[1]).filter(Boolean);
    process.stdout.write(JSON.stringify([...new Set(names)]));`;
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return JSON.parse(stdout) as string[];
}

it('[OP6.2] OpenTelemetry is not loaded by the gateway until there is somewhere to send traces to', async () => {
  // prom-client brings the bare interface along.
  expect(await loadedBy('await import(from:compose/gateway.ts);')).toEqual(['@opentelemetry/api']);
});

it('[OP6.2] it is loaded where there is', async () => {
  const open = `
    const { openTracer } = await import(from:telemetry/open-tracer.ts);
    const { systemClock } = await import(from:config/clock.ts);
    const tracer = await openTracer({
      endpoint: 'http://127.0.0.1:1', sampledShare: 1, clock: systemClock, log: console,
    });
    await tracer.close();`;
  expect(await loadedBy(open)).toContain('@opentelemetry/sdk-trace');
});
