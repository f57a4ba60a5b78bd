import type { TSchema } from 'typebox';
import type { ErrorLine } from './errors.ts';
import type { ResponseHeader } from './response-headers.ts';

/**
 * Who may call: the owner of the session; who has both its secret and a key (`login`); the holder of a key; the holder of a key
 * for one session (`owner`); the holder of a customer's link; or everyone.
 */
export type Access = 'session' | 'login' | 'operator' | 'owner' | 'link' | 'anyone';

/** The description of one endpoint, in addition to its route's schemas. */
export interface Operation {
  /** Name of the call in generated clients. */
  id: string;
  tag:
    | 'Sessions'
    | 'Webhook'
    | 'Messages'
    | 'Chats'
    | 'Groups'
    | 'Channels'
    | 'Media'
    | 'People'
    | 'Any method'
    | 'Links'
    | 'Audit'
    | 'Operation';
  summary: string;
  /** What `summary` does not say: its limits, its order, what else happens. */
  description?: string;
  access: Access;
  /** `connected`: the session must be connected. */
  needs?: 'connected';
  /** Description of path, query and header parameters, by name. */
  parameters?: Readonly<Record<string, string>>;
  /** Example bodies, by what they show. */
  requests?: Readonly<Record<string, unknown>>;
  /** The body is a file of any type. */
  uploads?: true;
  /** The response 200, what it means, and a schema and an example, or a media type other than JSON. */
  response:
    | { schema: TSchema; example: unknown; description?: string }
    | { mediaType: string; description: string; example?: string };
  /** Headers of responses, by status: those that not every endpoint has. */
  headers?: Readonly<Record<number, readonly ResponseHeader[]>>;
  /** Its body, over 1 KB, has an ETag, and is 304 for a client that has it (OS3.3). */
  revalidated?: true;
  /** Other successful responses, by status. */
  further?: Readonly<Record<number, string>>;
  /** In addition to those that all endpoints of its kind have. */
  errors?: readonly ErrorLine[];
}
