import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { LivePayload } from '../../../src/webhook/payload/live-payloads.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { EnvelopeStream } from '../../support/kit/envelope-stream.ts';

const cara = '1003';

let scene: Scene;
let caller: Caller;

beforeEach(async () => {
  scene = await openScene();
  caller = await scene.connected(ann);
});
afterEach(() => scene.close());

const ajv = new Ajv2020({ strict: false });
const faultsOf = (payload: { type: string }): string => {
  const schema = JSON.parse(readFileSync(`docs/webhooks/${payload.type}.json`, 'utf8')) as object;
  return ajv.validate(schema, payload) ? '' : ajv.errorsText();
};
const types = (payloads: readonly { type: string }[]): string[] => payloads.map(({ type }) => type);
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await scene.clock.advance(0);
}

it('[EV1.8] readers that are connected see who writes and who is online', async () => {
  const phone = (method: 'POST' | 'PUT', path: string, body: object): Promise<unknown> =>
    scene.sandbox.call(method, `/accounts/${path}`, body);
  const events = 'chat.typing,user.status,message';
  const desk = new EnvelopeStream(scene.gateway.url, caller.headers, `reader=desk&events=${events}`);
  const socket = new WebSocket(
    `${scene.gateway.url.replace('http', 'ws')}/session/messages?reader=ws&events=chat.typing&chats=${cara}`,
    { headers: caller.headers },
  );
  const seen: LivePayload[] = [];
  socket.on('message', (data) => void seen.push(JSON.parse((data as Buffer).toString()) as LivePayload));
  await once(socket, 'open');
  await scene.pass(500);

  await phone('POST', `${bob}/typing`, { peer: ann });
  await phone('POST', `${cara}/typing`, { peer: ann, action: 'recordAudio' });
  await phone('PUT', `${bob}/status`, { online: true });
  await phone('PUT', `${bob}/status`, { online: false });
  await phone('POST', `${bob}/messages`, { peer: ann, text: 'one' });
  await until(() => desk.envelopes.length === 5 && seen.length === 1);
  const moments = desk.envelopes as unknown as LivePayload[];
  expect(types(moments).toSorted()).toEqual(['chat.typing', 'chat.typing', 'message', 'user.status', 'user.status']);
  const live = moments.filter(({ type }) => (type as string) !== 'message');
  expect(live.map(faultsOf)).toEqual(['', '', '', '']);
  expect(live).toMatchObject([
    { type: 'chat.typing', session: { id: caller.id, generatedId: ann }, data: { chatId: bob, action: 'typing' } },
    { type: 'chat.typing', data: { chatId: cara, user: { id: cara }, action: 'recordAudio' } },
    { type: 'user.status', data: { user: { id: bob }, online: true, lastSeen: '' } },
    { type: 'user.status', data: { user: { id: bob }, online: false } },
  ]);
  expect((live[3] as { data: { lastSeen: string } }).data.lastSeen).not.toBe('');
  expect(seen).toMatchObject([{ type: 'chat.typing', data: { chatId: cara } }]);
  // The recorded ones are numbered as if these had not been.
  expect(desk.envelopes.find(({ type }) => type === 'message')).toMatchObject({ seq: 1, previous: 0 });
});
