import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { joinTwo, openGatewaysScene } from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { StreamClient } from '../../support/kit/stream-client.ts';

const ann = '1001';

/** Readers of the stream and of the WebSocket, which come again wherever a gateway lives, as clients do. */
function read(living: () => TestGateway[], headers: { id: string; 'session-id': string }) {
  const life = { isOver: false };
  onTestFinished(() => {
    life.isOver = true;
  });
  const stream = new StreamClient(headers);
  const streamed = stream.seen as unknown as Payload[];
  void (async () => {
    while (!life.isOver) {
      const url = living().at(0)?.url ?? '';
      await stream.read(url, () => life.isOver, '/session/messages/stream?reader=stream').catch(() => undefined);
    }
  })();
  const acknowledged: Payload[] = [];
  const open = (): void => {
    const url = living().at(-1)?.url.replace('http', 'ws');
    const client = new WebSocket(`${url}/session/messages?reader=socket`, { headers });
    onTestFinished(() => client.terminate());
    client.on('message', (data) => {
      const envelope = JSON.parse((data as Buffer).toString()) as Payload;
      acknowledged.push(envelope);
      client.send(JSON.stringify({ ack: envelope.seq }));
    });
    client.on('error', () => undefined);
    client.on('close', () => {
      if (!life.isOver) setImmediate(open);
    });
  };
  open();
  return { streamed, acknowledged };
}

/** What a reader has, without what came once more because its acknowledgement was lost. */
const once = (envelopes: readonly Payload[]): (readonly [number, number])[] => [
  ...new Map(envelopes.map(({ seq, previous }) => [seq, [previous, seq] as const])).values(),
];

it.each(['is killed', 'is told to end'] as const)(
  '[CL2.8] [EV3.2] [EV3.5] readers at any node go on where they were when the owner %s',
  async (how) => {
    const scene = await openGatewaysScene();
    const [a, b] = await joinTwo(scene, {});
    let living = [a, b];
    const caller = await scene.connected(b);
    const { streamed, acknowledged } = read(() => living, caller.headers);
    const isRead = (count: number): boolean => once(streamed).length === count && once(acknowledged).length === count;
    const write = (text: string): Promise<unknown> =>
      scene.sandbox.call('POST', `/accounts/${ann}/messages`, { peer: caller.userId, text });
    await scene.pass(1_000);
    for (let number = 0; number < 3; number += 1) await write(`before ${number}`);
    await scene.until(() => isRead(3));
    living = [a];
    const ended = how === 'is killed' ? b.crash() : b.close();
    for (let number = 0; number < 3; number += 1) await write(`meanwhile ${number}`);
    await scene.during(ended);
    await scene.until(() => isRead(6));
    for (let number = 0; number < 3; number += 1) await write(`after ${number}`);
    await scene.until(() => isRead(9));
    await scene.pass(5_000);
    const whole = Array.from({ length: 9 }, (_, index) => [index, index + 1]);
    expect(once(streamed)).toEqual(whole);
    expect(once(acknowledged)).toEqual(whole);
    expect(streamed).toHaveLength(9);
    expect(await scene.doublyUsedKeys()).toBe(0);
  },
);
