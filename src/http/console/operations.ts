import type { Operation } from '../shared/openapi/operation.ts';
import { ConsoleConfig } from './schemas.ts';

export const consoleOperations: Readonly<Record<string, Operation>> = {
  'GET /console/config': {
    id: 'consoleConfig',
    tag: 'Operation',
    summary: 'Settings for the console at /console',
    description: '`sandboxUrl` is empty if the gateway is connected to the real Telegram.',
    access: 'anyone',
    response: {
      description: 'The settings.',
      schema: ConsoleConfig,
      example: { sandboxUrl: 'http://127.0.0.1:4400', needsApiKey: false },
    },
  },
};
