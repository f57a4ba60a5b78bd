import { Type } from 'typebox';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';

const Dc = Type.Object({ dc: Type.Integer({ minimum: 1, maximum: 5 }) });
const DcPort = Type.Object({ dc: Type.Integer(), port: Type.Integer() });
const Limit = Type.Object({ perSecond: Type.Integer({ minimum: 0, maximum: 1_000_000 }) });

/** The ports of the data centres, which may change, and how many connections they accept. */
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

  app.put('/connection-limit', { schema: { body: Limit } }, async ({ body }) => {
    protocol.limitConnections(body.perSecond === 0 ? undefined : body.perSecond, () => world.clock.now());
    return { perSecond: body.perSecond };
  });
}
