import { exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { Nodes } from './schemas.ts';

const common = { version: '1.0.0-rc.1', started: exampleTime, heard: exampleTime, live: true } as const;
const example: Nodes = {
  docs: [
    {
      ...common,
      name: 'gateway-0-5d1c9e0a',
      self: true,
      url: 'http://10.0.0.11:3000',
      sessions: 412,
      partitions: [0, 3, 4, 9],
    },
    {
      ...common,
      name: 'gateway-1-7be20f4c',
      self: false,
      url: 'http://10.0.0.12:3000',
      sessions: 398,
      partitions: [1, 2, 5, 6],
    },
  ],
};

export const nodeOperations: Readonly<Record<string, Operation>> = {
  'GET /nodes': {
    id: 'listNodes',
    tag: 'Operation',
    summary: 'The gateways on this store, and what each owns',
    description:
      'As the node that answers sees them. A partition that changes hands is in no list for a moment. A gateway that is alone lists ' +
      'itself, with all partitions.',
    access: 'operator',
    response: {
      description: 'The nodes that are there, and those that have just gone, by name.',
      schema: Nodes,
      example,
    },
    revalidated: true,
  },
};
