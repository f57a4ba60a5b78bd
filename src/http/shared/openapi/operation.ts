import type { TSchema } from 'typebox';
import type { ErrorLine } from './errors.ts';

/** Who may call: whoever holds the session's id and secret, or the API key, or anyone. */
export type Access = 'session' | 'operator' | 'anyone';

/** What is said of one endpoint beside what its route's own schemas say. */
export interface Operation {
  /** Name of the call in generated clients. */
  id: string;
  tag: 'Sessions' | 'Webhook' | 'Messages' | 'Groups' | 'Channels' | 'Media' | 'Audit' | 'Operation';
  summary: string;
  description?: string;
  access: Access;
  /** `connected`: the session must be. */
  needs?: 'connected';
  /** Description of path, query and header parameters, by name. */
  parameters?: Readonly<Record<string, string>>;
  /** Example bodies, by what they show. */
  requests?: Readonly<Record<string, unknown>>;
  /** What 200 brings: a schema and an example, or a media type other than JSON. */
  response: { schema: TSchema; example: unknown } | { mediaType: string; description: string; example?: string };
  /** Other answers that are none of failure, by status. */
  further?: Readonly<Record<number, string>>;
  /** Beside those that all endpoints of its kind have. */
  errors?: readonly ErrorLine[];
}
