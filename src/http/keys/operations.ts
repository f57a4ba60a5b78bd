import { exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { unchangedWhileAway } from '../shared/openapi/store-errors.ts';
import { KeyIdResponse, KeyPage, type KeySchema, NewKey } from './schemas.ts';

const key: KeySchema = {
  id: '0197f3a2-8d40-7a11-9c55-2f6f0a1b3c4d',
  name: 'support desk',
  scopes: ['sessions:create', 'sessions:read'],
  tenant: 'acme',
  created: exampleTime,
  by: 'owner',
  expires: '2026-07-01T00:00:00.000Z',
  revoked: '',
  limits: { sessions: 20, sendsPerDay: 5000 },
  chats: [],
  state: 'active',
};
const created: NewKey = {
  ...key,
  key: 'tgw_0197f3a28d407a119c552f6f0a1b3c4d_kV3sQ0mJ8mXy1Zb7uN5rT2wA9cE4fG6hI8jK0lM1nOo',
};

export const keyOperations: Readonly<Record<string, Operation>> = {
  'POST /keys': {
    id: 'issueKey',
    tag: 'Operation',
    summary: 'Issue a key',
    description:
      'The key is in this response alone: the gateway keeps its hash. A key with a `tenant` creates sessions of that tenant and ' +
      'sees no others. A key with `chats` uses accounts in these chats alone, and does nothing that is of the account as a whole. It ' +
      'sends no contacts, and mentions only people of these chats. What is left out is as the key of the request has it. To rotate a ' +
      'key, issue another one, use it everywhere, and revoke the first: both are valid meanwhile.',
    access: 'operator',
    requests: {
      'for a tenant': {
        name: 'support desk',
        scopes: ['sessions:create', 'sessions:read'],
        tenant: 'acme',
        expires: '2026-07-01T00:00:00Z',
        limits: { sessions: 20, sendsPerDay: 5000 },
      },
      'that uses sessions without their secrets': { name: 'worker', scopes: ['accounts'] },
      'for an agent, in two chats': { name: 'agent', scopes: ['accounts'], chats: ['1002', '-1003001'] },
    },
    response: { schema: NewKey, example: created },
    errors: [
      [400, 'name should not be empty', ''],
      [
        400,
        'name must be up to 64 letters, digits, blanks and . _ @ -, and none of owner, session, telegram, gateway',
        '',
      ],
      [400, 'scopes should not be empty', ''],
      [400, 'expires must be an ISO 8601 time', ''],
      [400, 'expires must be in the future', ''],
      [400, 'scopes must not have metrics with a tenant', 'Metrics count the sessions of all tenants.'],
      [400, 'chats.0 must be a chat ID', ''],
      [
        403,
        'scopes must be among those of the key that issues it: raw',
        'Nor may it have another tenant or other chats, end later, or have higher limits.',
      ],
      unchangedWhileAway,
    ],
  },
  'GET /keys': {
    id: 'listKeys',
    tag: 'Operation',
    summary: 'The keys, without their texts',
    access: 'operator',
    parameters: {
      after: 'The `after` of the previous page.',
      limit: 'Up to this many, 1 to 100; default 50.',
      state: 'Only keys in this state; `any`: all. Default: active.',
    },
    response: { schema: KeyPage, example: { docs: [key], after: '' } },
    errors: [[400, 'limit must be between 1 and 100', '']],
  },
  'DELETE /keys/:id': {
    id: 'revokeKey',
    tag: 'Operation',
    summary: 'Revoke a key',
    description: 'From then on it opens nothing, on every node within a second. Streams that it has opened are closed.',
    access: 'operator',
    parameters: { id: 'ID of the key.' },
    response: { schema: KeyIdResponse, example: { id: key.id } },
    errors: [[404, 'key not found', 'No such key, or it is revoked already.'], unchangedWhileAway],
  },
};
