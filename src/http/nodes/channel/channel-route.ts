import { GatewayError } from '../../../errors/gateway-error.ts';
import { type EncodedItem, encodeItems } from '../../../hop/channel/channel-message.ts';
import { channelPath } from '../../../hop/channel/node-channels.ts';
import { Handshakes } from '../../../websocket/handshakes.ts';
import { TurnSocket } from '../../../websocket/turn-socket.ts';
import type { App, AppDeps } from '../../shared/app-types.ts';
import { sendInvalid } from '../../shared/error-responses.ts';
import { onUpgradeEnd, takeOver, type UpgradeOf } from '../../websocket/upgrade.ts';
import { ServedChannel } from './served-channel.ts';

/** Of a message, which is full with 1 MB. A body is at most 256 KB, and a head 16 KB (Node's limit), which JSON may make longer. */
const maxPayloadBytes = 2 * 1024 * 1024;

/** `GET /nodes/channel`, a WebSocket: requests of another node, sealed under the hop that has opened it (ADR 21). */
export function channelRoute(
  app: App,
  { clock, clusterKey }: Pick<AppDeps, 'clock'> & { clusterKey: string },
  upgradeOf: UpgradeOf,
): void {
  const handshakes = new Handshakes({ maxPayloadBytes, onInvalid: sendInvalid });
  const channels = new Set<ServedChannel>();
  let isEnding = false;
  app.addHook('preClose', (done) => {
    isEnding = true;
    for (const channel of channels) channel.end();
    done();
  });
  app.get(channelPath, (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    const { hop } = request;
    if (upgrade === undefined || hop === undefined) throw new GatewayError(426, 'a websocket is needed');
    reply.hijack();
    const taken = takeOver(upgrade);
    const client = handshakes.accept(taken);
    onUpgradeEnd(upgrade, client === undefined ? 400 : 101);
    if (client === undefined) return;
    const socket = new TurnSocket<EncodedItem>(client, { encode: (items) => encodeItems(items) });
    const channel: ServedChannel = new ServedChannel({ app, clock, hop, clusterKey, socket }, taken.socket);
    channels.add(channel);
    // Its handshake had begun before.
    if (isEnding) channel.end();
    socket.onClose(() => channels.delete(channel));
  });
}
