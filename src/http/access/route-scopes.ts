import type { KeyScope } from '../../keys/scopes.ts';
import type { App } from '../shared/app-types.ts';

/** The scope that a route needs of a key; `anyone`: the route needs no credentials, or has its own, as media links do. */
export type RouteScope = KeyScope | 'anyone';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Each route has one: its own, or that of its group ({@link scopeOfGroup}). */
    scope?: RouteScope;
    /** A second scope that the route always needs. */
    alsoScope?: KeyScope;
  }
}

const declared = new WeakMap<object, Map<string, RouteScope | undefined>>();

/** The scopes of all routes: `GET /sessions`. For tests. */
export const declaredScopes = (app: App): ReadonlyMap<string, RouteScope | undefined> =>
  declared.get(app.server) ?? new Map();

/** Refuses to start with a route that declares no scope. Call it before routes are added. */
export function requireDeclaredScopes(app: App): void {
  const scopes = new Map<string, RouteScope | undefined>();
  declared.set(app.server, scopes);
  app.addHook('onRoute', (route) => {
    // The groups' own hooks run after this one.
    const { config = {} } = route;
    route.config = config;
    for (const method of [route.method].flat()) {
      const name = `${method} ${route.url}`;
      scopes.set(name, undefined);
      configs.set(name, config);
    }
  });
  const configs = new Map<string, { scope?: RouteScope }>();
  app.addHook('onReady', (done) => {
    for (const [name, { scope }] of configs) scopes.set(name, scope);
    const open = [...scopes].filter(([, scope]) => scope === undefined).map(([name]) => name);
    done(open.length > 0 ? new Error(`routes without a scope: ${open.join(', ')}`) : undefined);
  });
}

/** Routes that are added to the group from now on have this scope, unless they declare another. */
export function scopeOfGroup(group: App, scope: RouteScope): void {
  group.addHook('onRoute', ({ config }) => {
    if (config !== undefined) config.scope ??= scope;
  });
}
