// Puts the files that the compiler does not emit (schemas, pages) beside the compiled code, in `dist` or the folder named.
import { cpSync, existsSync } from 'node:fs';

const assets = ['sandbox/tl/schema', 'sandbox/phone', 'sandbox/world/media', 'src/inspector/page'];
const [folder = 'dist'] = process.argv.slice(2);
for (const path of assets) if (existsSync(path)) cpSync(path, `${folder}/${path}`, { recursive: true });
