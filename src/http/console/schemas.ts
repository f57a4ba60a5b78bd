import { type Static, Type } from 'typebox';
import { text } from '../shared/openapi/describe.ts';

/** `GET /console/config`. */
export const ConsoleConfig = Type.Object({
  sandboxUrl: text('Control API of the sandbox that replaces Telegram.'),
  needsApiKey: Type.Boolean({ description: 'Whether the gateway has an API key.' }),
});
export type ConsoleConfig = Static<typeof ConsoleConfig>;
