import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlApp } from './control-app.ts';

const folder = join(import.meta.dirname, '../phone');
const files: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/phone.css', 'phone.css', 'text/css; charset=utf-8'],
  ['/controls.css', 'controls.css', 'text/css; charset=utf-8'],
  ['/chat.css', 'chat.css', 'text/css; charset=utf-8'],
  ['/tools.css', 'tools.css', 'text/css; charset=utf-8'],
  ['/account.js', 'account.js', 'text/javascript; charset=utf-8'],
  ['/composer.js', 'composer.js', 'text/javascript; charset=utf-8'],
  ['/devices.js', 'devices.js', 'text/javascript; charset=utf-8'],
  ['/faults.js', 'faults.js', 'text/javascript; charset=utf-8'],
  ['/media.js', 'media.js', 'text/javascript; charset=utf-8'],
  ['/message.js', 'message.js', 'text/javascript; charset=utf-8'],
  ['/phone.js', 'phone.js', 'text/javascript; charset=utf-8'],
  ['/security.js', 'security.js', 'text/javascript; charset=utf-8'],
  ['/stories.js', 'stories.js', 'text/javascript; charset=utf-8'],
];

/** Serves the files of the phone page. */
export function phoneRoutes(app: ControlApp): void {
  for (const [path, file, type] of files) {
    app.get(path, async (_request, reply) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return reply
        .type(type)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'")
        .header('x-content-type-options', 'nosniff')
        .send(text);
    });
  }
}
