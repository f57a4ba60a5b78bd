import type { Operation } from '../shared/openapi/operation.ts';
import { ConsoleConfig } from './schemas.ts';

export const consoleOperations: Readonly<Record<string, Operation>> = {
  'GET /console/config': {
    id: 'consoleConfig',
    tag: 'Operation',
    summary: 'What the console at /console must know of this gateway',
    description: '`sandboxUrl` is empty where the real Telegram is on the other side.',
    access: 'anyone',
    response: {
      schema: ConsoleConfig,
      example: { sandboxUrl: 'http://127.0.0.1:4400', needsApiKey: false },
    },
  },
};
