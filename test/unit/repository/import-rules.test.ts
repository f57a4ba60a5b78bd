import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ImportStatement, importsOf, readImports, sourceFiles } from '../../support/repository/imports.ts';

const program = [
  'src',
  'actors',
  'projections',
  'sandbox',
  'console',
  'bench',
  'clients/typescript/src',
  'clients/typescript/generator',
  'clients/chatwoot/src',
  'clients/mcp',
];
const imports = readImports(program);

const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const packageOf = (target: string): string => target.replace(/^(@[^/]+\/[^/]+|[^/]+).*$/, '$1');
const isProjectFile = (target: string): boolean => program.some((folder) => within(target, folder));

/** The imports of a folder that go elsewhere than allowed; a name stands for a package, a path for a folder. */
function strays(folder: string, allowed: readonly string[]): ImportStatement[] {
  return imports
    .filter(({ file }) => within(file, folder))
    .filter(({ target }) => !target.startsWith('node:'))
    .filter(
      ({ target }) =>
        !allowed.some((name) => (isProjectFile(target) ? within(target, name) : packageOf(target) === name)),
    );
}

/** Each outside package has one door: nobody else may import it. */
const doors: Record<string, readonly string[]> = {
  telegram: ['src/telegram/gramjs'],
  'big-integer': ['src/telegram/gramjs'],
  '@mtcute/wasm': ['src/telegram/gramjs', 'sandbox/crypto'],
  libsql: ['src/store'],
  '@kurrent/kurrentdb-client': ['src/store/events/kurrent'],
  xstate: ['actors/session'],
  sharp: ['src/media/outgoing/image.ts', 'sandbox/world/files', 'sandbox/control/read-qr-image.ts'],
  qr: ['src/http'],
  'fluent-ffmpeg': ['src/media/outgoing/video.ts'],
  undici: ['src/outbound', 'src/hop'],
  'ipaddr.js': ['src/outbound', 'src/telegram/proxy/socks5.ts'],
  'prom-client': ['src/metrics'],
  '@opentelemetry/api': ['src/telemetry'],
  '@opentelemetry/core': ['src/telemetry'],
  '@opentelemetry/exporter-trace-otlp-http': ['src/telemetry'],
  '@opentelemetry/resources': ['src/telemetry'],
  '@opentelemetry/sdk-trace': ['src/telemetry'],
  '@statelyai/inspect': ['src/inspector'],
  ws: ['src/websocket'],
  'eventsource-parser': ['console/api'],
  'close-with-grace': ['src/programs'],
  commander: ['src/programs'],
  '@modelcontextprotocol/server': ['clients/mcp'],
  '@modelcontextprotocol/node': ['clients/mcp'],
  zod: ['clients/mcp'],
};

/** What may know the whole: it puts the parts together. */
const compositionRoots = [
  'src/programs',
  'src/compose',
  // A program of its own.
  'src/media/outgoing/picture-program.ts',
];
const isComposition = (file: string): boolean => compositionRoots.some((root) => within(file, root));

describe('import rules', () => {
  it('sees the modules that it judges', () => {
    for (const folder of ['src', 'actors', 'projections', 'sandbox', 'console']) {
      expect(sourceFiles([folder]).length).toBeGreaterThanOrEqual(5);
    }
    expect(imports.length).toBeGreaterThan(200);
    expect(
      importsOf(
        "import { a, type T } from './a.ts';\nexport * from 'b';\nconst c = await import('c');\nrequire('d')\nimport type { E } from 'e';",
      ).map(({ specifier, isType }) => `${specifier}${isType ? ' (types)' : ''}`),
    ).toEqual(['./a.ts', 'b', 'c', 'd', 'e (types)']);
  });

  it('actors import xstate, typebox and themselves', () => {
    expect(strays('actors', ['actors', 'xstate', 'typebox'])).toEqual([]);
  });

  it('projections import themselves, the actors and typebox', () => {
    expect(strays('projections', ['projections', 'actors', 'typebox'])).toEqual([]);
  });

  it('the console imports Preact, the parser of event streams, the drawing of charts, itself, and types of actors and responses', () => {
    const packages = ['preact', 'eventsource-parser'];
    const responses = sourceFiles(['src/http']).filter((path) => path.endsWith('schemas.ts'));
    const values = strays('console', ['console', ...packages, 'src/chart', 'actors/session/events.ts']);
    expect(values.filter(({ isType }) => !isType)).toEqual([]);
    const types = ['actors', 'src/audit/audit-entry-schema.ts', ...responses];
    expect(strays('console', ['console', ...packages, 'src/chart', ...types])).toEqual([]);
  });

  it('the drawing of charts takes types alone: it goes into the page of the console', () => {
    expect(strays('src/chart', ['src/chart']).filter(({ isType }) => !isType)).toEqual([]);
  });

  it('the sandbox imports nothing of the gateway, and the gateway nothing of the sandbox', () => {
    expect(
      imports.filter(
        ({ file, target }) => within(file, 'sandbox') && isProjectFile(target) && !within(target, 'sandbox'),
      ),
    ).toEqual([]);
    expect(
      imports.filter(
        ({ file, target }) =>
          ['src', 'actors', 'projections'].some((folder) => within(file, folder)) && within(target, 'sandbox'),
      ),
    ).toEqual([]);
  });

  it('the clients stand on the public API: they import themselves alone, and no package', () => {
    for (const folder of ['clients/typescript/src', 'clients/typescript/generator']) {
      expect(imports.filter(({ file }) => within(file, folder)).length).toBeGreaterThan(2);
      expect(
        imports.filter(({ file, target }) => within(file, folder) && !within(target, 'clients/typescript')),
      ).toEqual([]);
    }
  });

  it('the Chatwoot bridge stands on the public API: it imports itself, and SQLite', () => {
    expect(strays('clients/chatwoot/src', ['clients/chatwoot/src', 'libsql'])).toEqual([]);
  });

  it('features and HTTP reach Telegram through its port alone', () => {
    const outside = imports.filter(
      ({ file, target }) =>
        within(file, 'src') && !within(file, 'src/telegram') && !isComposition(file) && within(target, 'src/telegram'),
    );
    const isPort = (target: string): boolean => within(target, 'src/telegram/port');
    expect(outside.filter(({ target }) => !isPort(target))).toEqual([]);
    expect(outside.length).toBeGreaterThan(0);
  });

  it('adapters are known to the composition root alone', () => {
    const adapters = ['src/store', 'src/telegram/gramjs', 'src/config/clock.ts'];
    const users = imports.filter(
      ({ file, target }) =>
        within(file, 'src') &&
        adapters.some((adapter) => within(target, adapter) && !within(file, adapter)) &&
        !isComposition(file) &&
        !within(file, 'src/telegram'),
    );
    expect(users).toEqual([]);
  });

  it.each(Object.entries(doors))('%s has one door', (name, allowed) => {
    const users = imports.filter(({ target }) => packageOf(target) === name);
    const trespassers = users.filter(
      ({ file }) => !allowed.some((door) => within(file, door)) && !within(file, 'bench') && !within(file, 'clients'),
    );
    expect(trespassers).toEqual([]);
  });

  it('clock, chance and environment come in through clock.ts and config.ts', () => {
    const forbidden =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.env\b|\brandom(?:UUID|Bytes|Int)\(|(?<![.\w])set(?:Timeout|Interval)\(/;
    const offenders = sourceFiles(['src', 'actors', 'projections'])
      .filter((file) => !['src/config/clock.ts', 'src/config/config.ts', 'actors/ports/clock.ts'].includes(file))
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .map((line, index) => ({
            place: `${file}:${index + 1}`,
            code: line.replace(/^\s*(?:\/?\*|\/\/).*/, '').trim(),
          }))
          .filter(({ code }) => forbidden.test(code))
          .map(({ place, code }) => `${place} ${code}`),
      );
    expect(offenders).toEqual([]);
  });
});
