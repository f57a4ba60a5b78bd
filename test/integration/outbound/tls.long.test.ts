import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startWebServer } from '../../support/kit/web-server.ts';
import { startSmallInternet } from '../../support/outbound/small-internet.ts';
import { testCertificate, testCertificateKey } from '../../support/outbound/test-certificate.ts';

const site = '93.184.216.34';
const megabyte = 1024 * 1024;

let folder: TemporaryFolder;
let server: Server;
let port: number;
/** The names that clients said they came for. */
const named: string[] = [];
const hosts: (string | undefined)[] = [];
let connections = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const identity = { key: testCertificateKey, cert: testCertificate };
  server = createServer(
    {
      ...identity,
      SNICallback: (name, done) => {
        named.push(name);
        done(null, createSecureContext(identity));
      },
    },
    (request, response) => {
      hosts.push(request.headers.host);
      // The whole request is taken first: a connection whose request was answered half sent is not used again.
      request.resume().once('end', () => {
        response.writeHead(request.method === 'POST' ? 413 : 200).end('a secret file');
      });
    },
  ).on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await folder.remove();
});

interface Downloaded {
  outcome: string;
  grownBytes: number;
}

/** In a process of its own, which trusts the test's certificate if told so. */
async function run(program: string, args: readonly string[], isTrusting = true): Promise<unknown> {
  const certificate = join(folder.path, 'certificate.pem');
  writeFileSync(certificate, testCertificate);
  const file = fileURLToPath(new URL(`../../support/outbound/${program}.ts`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file, ...args], {
    env: { PATH: process.env['PATH'], ...(isTrusting ? { NODE_EXTRA_CA_CERTS: certificate } : {}) },
  });
  return JSON.parse(stdout);
}

async function download(url: string, isTrusting = true): Promise<Downloaded> {
  const target = join(folder.path, `file-${named.length}-${hosts.length}`);
  return (await run('download-program', [url, target], isTrusting)) as Downloaded;
}

describe('TLS', () => {
  it('[SR1.1] the name of the URL is the one that the server hears and must prove, not the address', async () => {
    expect((await download(`https://site.test:${port}/`)).outcome).toBe('13');
    expect(named).toEqual(['site.test']);
    expect(hosts).toEqual([`site.test:${port}`]);
    expect((await download(`https://other.test:${port}/`)).outcome).toBe('its certificate is not trusted');
    expect(named).toEqual(['site.test', 'other.test']);
    expect(hosts).toHaveLength(1);
  });

  it('[SR1.1] an address is proven too, and not announced as a name', async () => {
    named.length = 0;
    expect((await download(`https://127.0.0.1:${port}/`)).outcome).toBe('13');
    expect(named).toEqual([]);
  });

  it('[WH1.1] posts over it, on connections that are kept', async () => {
    const posted = named.length;
    connections = 0;
    expect(await run('post-program', [`https://site.test:${port}/`, '3'])).toEqual(['413', '413', '413']);
    expect(named.slice(posted)).toEqual(['site.test']);
    expect(connections).toBe(1);
    const refused = ['its certificate is not trusted'];
    expect(await run('post-program', [`https://other.test:${port}/`, '1'])).toEqual(refused);
  });

  it('[SR1.1] a certificate that nobody vouches for is refused', async () => {
    const outbound = createOutbound({
      clock: createDrivenClock(),
      allowPrivate: false,
      resolve: () => Promise.resolve([site]),
    });
    const internet = startSmallInternet({ [site]: port });
    try {
      const outcome = outbound.post('https://site.test/', {
        sessionId: 'one',
        body: '{}',
        headers: {},
        timeoutMs: 10_000,
      });
      await expect(outcome).rejects.toThrow(/^its certificate is not trusted$/);
      expect(internet.dialled).toEqual([`${site}:443`]);
    } finally {
      internet.end();
      await outbound.close();
    }
    expect((await download(`https://site.test:${port}/`, false)).outcome).toBe('its certificate is not trusted');
  });
});

it('[MS2.1] 400 MB go to the disk without staying in memory', async () => {
  const piece = Buffer.alloc(megabyte, 'x');
  const large = await startWebServer((_request, response) => {
    let left = 400;
    const more = (): void => {
      while (left > 0) {
        left -= 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const { outcome, grownBytes } = await download(large.url);
  await large.close();
  expect(outcome).toBe(String(400 * megabyte));
  expect(grownBytes).toBeLessThan(100 * megabyte);
});
