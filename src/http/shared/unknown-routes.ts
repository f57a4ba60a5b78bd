import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { App } from './app-types.ts';

/** 404 for an unknown path; 405, with `Allow`, for a known one with another method. Call it before routes are added. */
export function addUnknownRoutes(app: App): void {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.replace(/\?.*$/, '');
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods));
    // A known route, but the file that it would send does not exist.
    if (allowed.size === 0 || allowed.has(request.method)) throw new GatewayError(404, 'not found');
    reply.header('allow', [...allowed].toSorted().join(', '));
    throw new GatewayError(405, 'method not allowed');
  });
}

/** A route's `/group/:groupId` as an expression for whole paths. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.+';
    return segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
