// Builds the console into dist/console, each file also as .br and .gz. Does nothing if the output is newer than its sources.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/console');
/** The inputs of the build. The chart is read from the machine in `actors`. */
const sources = ['console', 'actors', 'src/chart', 'scripts/build-console.js', 'package-lock.json'];

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isFresh() {
  const page = join(target, 'index.html');
  return existsSync(page) && statSync(page).mtimeMs > Math.max(...sources.map((path) => newest(join(root, path))));
}

async function bundle() {
  const { build, runnerImport } = await import('vite');
  const { module } = await runnerImport(join(root, 'actors/session/describe-chart.ts'), { configFile: false });
  const { output } = await build({
    configFile: false,
    root: join(root, 'console'),
    // Relative URLs: a proxy may put the gateway below a path.
    base: './',
    logLevel: 'warn',
    define: { SESSION_CHART: JSON.stringify(module.describeChart()) },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      // Inlined assets would need a laxer Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: { input: [join(root, 'console/index.html'), join(root, 'console/link.html')] },
    },
  });
  return output.map((file) => ({ name: file.fileName, content: Buffer.from(file.code ?? file.source) }));
}

function write(folder, { name, content }) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
  writeFileSync(path, content);
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

/** The folder is replaced as a whole, so that a running gateway never serves half a build. Another build may do it too. */
function replace(folder) {
  const old = `${folder}-old`;
  for (let round = 0; ; round += 1) {
    try {
      if (existsSync(target)) renameSync(target, old);
      renameSync(folder, target);
      break;
    } catch (error) {
      if (round === 9) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

if (!isFresh()) {
  const files = await bundle();
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/console-'));
  // mkdtemp creates mode 700, but the gateway may run as another user than the build.
  chmodSync(folder, 0o755);
  for (const file of files) write(folder, file);
  replace(folder);
}
