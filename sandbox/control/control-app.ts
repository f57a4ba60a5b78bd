import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { RunningProtocolServer } from '../mtproto/protocol-server.ts';
import type { World } from '../world/world.ts';

/** What the routes need. */
export interface ControlDeps {
  world: World;
  protocol: RunningProtocolServer;
  /** Fills an empty world with the seed. */
  seed: (world: World) => void;
}

export type ControlApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
