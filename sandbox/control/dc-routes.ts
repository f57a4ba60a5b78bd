import { Type } from 'typebox';
import { parseMtproxySecret } from '../net/mtproxy-secret.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';

const Dc = Type.Object({ dc: Type.Integer({ minimum: 1, maximum: 5 }) });
const DcPort = Type.Object({ dc: Type.Integer(), port: Type.Integer() });
const Proxy = Type.Object({ secret: Type.String({ minLength: 32, maxLength: 512 }) });
const ProxyPort = Type.Object({ port: Type.Integer() });
const Limit = Type.Object({ perSecond: Type.Integer({ minimum: 0, maximum: 1_000_000 }) });

/** The ports of the data centres, which may change, MTProxies, and how many connections are accepted. */
export function dcRoutes(app: ControlApp, { world, protocol }: ControlDeps): void {
  app.post('/dcs/:dc/ports', { schema: { params: Dc } }, async ({ params }) => ({
    port: await protocol.openPort(params.dc),
  }));

  app.delete('/dcs/:dc/ports/:port', { schema: { params: DcPort } }, async ({ params }) => {
    const { dc, port } = params;
    const isThere = protocol.addresses.some((each) => each.dc === dc && each.port === port);
    if (!isThere) throw new ControlError(404, 'the data centre does not listen on this port');
    await protocol.closePort(port);
    return { port };
  });

  app.post('/proxies', { schema: { body: Proxy } }, async ({ body }) => {
    const secret = parseMtproxySecret(body.secret);
    if (!secret)
      throw new ControlError(400, 'secret is not 16 bytes in hex, dd before them, or ee and a domain around them');
    return { port: await protocol.openProxy(secret), secret: body.secret };
  });

  app.delete('/proxies/:port', { schema: { params: ProxyPort } }, async ({ params }) => {
    if (!(await protocol.closeProxy(params.port))) throw new ControlError(404, 'no proxy listens on this port');
    return { port: params.port };
  });

  app.put('/connection-limit', { schema: { body: Limit } }, async ({ body }) => {
    protocol.limitConnections(body.perSecond === 0 ? undefined : body.perSecond, () => world.clock.now());
    return { perSecond: body.perSecond };
  });
}
