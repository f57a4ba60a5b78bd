// Puts the files that the compiler does not emit (schemas, pages) beside the compiled code.
import { cpSync, existsSync } from 'node:fs';

const assets = ['sandbox/tl/schema', 'sandbox/phone', 'sandbox/world/media', 'src/inspector/page'];
for (const path of assets) if (existsSync(path)) cpSync(path, `dist/${path}`, { recursive: true });
