import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../../../../clients/typescript/src/index.ts', import.meta.url));
const maxBytes = 15 * 1024;

it('[TC1.9] the client is at most 15 KB, minified and compressed, with all that it stands on', async () => {
  // For a browser: an import of Node would fail.
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? '', { level: 9 }).length).toBeLessThan(maxBytes);
  expect(bundle?.contents.length).toBeGreaterThan(10_000);
  expect(Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'))).toEqual([]);
});
