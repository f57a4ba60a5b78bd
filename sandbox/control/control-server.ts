import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { RpcError } from '../rpc.ts';
import { accountRoutes } from './account-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import type { ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { dcRoutes } from './dc-routes.ts';
import { editRoutes } from './edit-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { codeRoutes } from './logins/code-routes.ts';
import { qrRoutes } from './logins/qr-routes.ts';
import { mediaRoutes } from './media-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { phoneRoutes } from './phone-routes.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { storyRoutes } from './story-routes.ts';

/** Room for media in base64. */
const maxBodyBytes = 48 * 1024 * 1024;
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

type Compile = typeof TypeBoxValidatorCompiler;

/** By schema. A process may have several servers, tests start one for each scene, and all have the same routes. */
const compiled = new WeakMap<object, ReturnType<Compile>>();

/** Compiles each schema once a process: that takes 4 ms for all of them. */
const compileOnce: Compile = (route) => {
  const schema: object = route.schema;
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validator = TypeBoxValidatorCompiler(route);
  compiled.set(schema, validator);
  return validator;
};

/** The control API and the phone page. The caller has to call `listen`. */
export async function createControlServer(control: ControlDeps): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true });
  app.setValidatorCompiler(compileOnce);
  // Pages of other sites can send text/plain without a CORS preflight.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    // Pages of other sites may reach loopback through DNS rebinding, or send requests without reading the response.
    if (!isLoopbackHost(request.headers.host)) throw new ControlError(403, 'host not allowed');
    const { origin } = request.headers;
    if (origin === undefined) return;
    if (!isLoopbackHost(origin.replace(/^https?:\/\//, ''))) throw new ControlError(403, 'origin not allowed');
    // Pages of this machine may call it, as the gateway's console does.
    reply.headers({ 'access-control-allow-origin': origin, vary: 'origin' });
    if (request.method === 'OPTIONS') {
      reply.headers({ 'access-control-allow-methods': '*', 'access-control-allow-headers': 'content-type' });
      await reply.code(204).send();
    }
  });
  app.setNotFoundHandler(() => {
    throw new ControlError(404, 'not found');
  });
  app.setErrorHandler(async (error: FastifyError, _request, reply) => {
    const { statusCode, message } = errorBody(error);
    return reply.code(statusCode).send({ statusCode, message });
  });
  app.addHook('onSend', async (_request, _reply, payload) => {
    control.world.flush();
    return payload;
  });
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  accountRoutes(typed, control);
  editRoutes(typed, control);
  chatRoutes(typed, control);
  qrRoutes(typed, control);
  codeRoutes(typed, control);
  messageRoutes(typed, control);
  reactionRoutes(typed, control);
  mediaRoutes(typed, control);
  storyRoutes(typed, control);
  faultRoutes(typed, control);
  dcRoutes(typed, control);
  phoneRoutes(typed);
  await app.ready();
  return app;
}

function isLoopbackHost(host: string | undefined): boolean {
  return loopbackHosts.has((host ?? '').replace(/:\d+$/, '').toLowerCase());
}

function errorBody(error: FastifyError): { statusCode: number; message: string } {
  if (error instanceof RpcError) return { statusCode: 400, message: error.text };
  if (error.validation) return { statusCode: 400, message: error.message };
  const statusCode = error.statusCode ?? 500;
  return { statusCode, message: statusCode >= 500 ? 'internal error of the sandbox' : error.message };
}
