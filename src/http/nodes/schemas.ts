import { type Static, Type } from 'typebox';
import { text, time } from '../shared/openapi/describe.ts';

const Node = Type.Object(
  {
    name: text('Name of the node; another one after each start.'),
    self: Type.Boolean({ description: 'Whether it is the node that answers.' }),
    url: text('Where the other nodes reach it. Empty if the gateway is alone, and for keys of a tenant.'),
    version: text('Version of the gateway.'),
    started: time('When it started.'),
    heard: time('When the node that answers heard of it last.'),
    live: Type.Boolean({
      description:
        'Whether it is there. A node that was killed stays in the list for a moment; what it owns then has no owner yet.',
    }),
    sessions: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'The live sessions that it acts for. null if it does not say, and for keys of a tenant.',
    }),
    partitions: Type.Array(Type.Integer({ minimum: 0, maximum: 63 }), {
      description: 'The partitions that it owns, of 64. Each session is in one of them.',
    }),
  },
  { additionalProperties: false },
);

/** `GET /nodes` (CL6). */
export const Nodes = Type.Object({ docs: Type.Array(Node) }, { additionalProperties: false });
export type Nodes = Static<typeof Nodes>;
