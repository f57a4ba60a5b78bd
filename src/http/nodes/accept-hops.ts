import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type Hop, hopHeader, readHop } from '../../hop/hop-header.ts';
import { misdirected } from '../../hop/passed-request.ts';
import type { App } from '../shared/app-types.ts';
import { channelHopOf } from './channel/channel-exchange.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What another node says of the request that it has passed here; undefined for a caller's own. */
    hop: Hop | undefined;
    /** Name of the node that has answered, if this gateway is one of several. */
    answeredBy: string | undefined;
  }
}

export interface AcceptHopsDeps {
  cluster: Pick<Cluster, 'self'>;
  clusterKey: string;
  clock: Pick<Clock, 'now'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Believes what another node says of a request, if it has signed that: the request's ID, and its caller's address. Who the
 * caller is the request has to prove here once more. To be called before other hooks are added.
 */
export function acceptHops(app: App, { cluster, clusterKey, clock, log }: AcceptHopsDeps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.answeredBy = cluster.self.name;
    const channelHop = channelHopOf(request.raw);
    if (channelHop !== undefined) {
      believe(request, channelHop);
      return done();
    }
    const text = request.headers[hopHeader];
    if (text === undefined) return done();
    const { method = '', url = '' } = request.raw;
    const reading = readHop(clusterKey, String(text), { method, url }, clock.now());
    if (reading.kind !== 'good') {
      log.warn({ where: 'http', reqId: request.id, client: request.ip, hop: reading.kind }, 'a hop was refused');
      return done(new GatewayError(403, `${hopHeader} is ${reading.kind}`));
    }
    const { hop } = reading;
    believe(request, hop);
    // The node was started again, and is another one now.
    done(hop.to === cluster.self.name ? undefined : elsewhere());
  });
}

function believe(request: FastifyRequest, hop: Hop): void {
  request.hop = hop;
  request.id = hop.reqId;
  Object.defineProperty(request, 'ip', { value: hop.client });
}

/** To a node: it has to look again which one has the session. */
export const elsewhere = (): GatewayError => new GatewayError(misdirected, 'another node has the session');
