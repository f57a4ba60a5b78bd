import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { useConnectedScene } from '../../support/e2e/connected-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { EnvelopeStream } from '../../support/kit/envelope-stream.ts';
import { issueAgentKey } from '../../support/mcp/agent.ts';

/** What readers that were opened with a key with `chats` are told. */

const on = useConnectedScene();
const cara = '1003';
let byKey: Record<string, string>;
beforeAll(async () => {
  const { key } = await issueAgentKey(on.scene.gateway.http, { chats: [bob, '-2001'] });
  byKey = { id: on.caller.id, 'x-api-key': key };
});

const error = (message: string) => ({ status: 403, body: { statusCode: 403, message } });
const otherChat = error('chat is not among those of the key');
const wholeAccount = error('a key with chats may not do this');

describe('readers of a key', () => {
  const messageFrom = (from: string, text: string): Promise<unknown> =>
    on.scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: ann, text });
  const textsOf = ({ envelopes }: EnvelopeStream): unknown[] =>
    envelopes.map(({ data }) => (data as { text?: string }).text);
  const streamOf = async (query: string, headers = byKey): Promise<EnvelopeStream> => {
    const stream = new EnvelopeStream(on.scene.gateway.url, headers, query);
    while (!stream.isOpen && stream.refusal === undefined) await on.scene.clock.advance(0);
    return stream;
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await on.scene.clock.advance(0);
  };

  it('[KY5.5] are told of its chats alone, over a restart too, and take nothing from a reader of that name', async () => {
    const owners = await streamOf('reader=desk&chats=all', on.caller.headers);
    const agents = await streamOf('reader=desk');
    await messageFrom(cara, 'for the owner');
    await messageFrom(bob, 'for both');
    await until(() => owners.envelopes.length === 2 && agents.envelopes.length === 1);
    expect([textsOf(owners), textsOf(agents)]).toEqual([['for the owner', 'for both'], ['for both']]);
    await Promise.all([owners.leave(), agents.leave()]);

    await on.scene.restart();
    await on.scene.whilePassing(on.scene.read(on.caller, ({ isConnected }) => isConnected));
    await messageFrom(cara, 'for the owner again');
    await messageFrom(bob, 'for both again');
    const later = await streamOf(`reader=desk&after=${agents.envelopes[0]?.seq}`);
    await until(() => later.envelopes.length === 1);
    // From the beginning: what was recorded for the owner's reader stays the owner's.
    const fromStart = await streamOf('reader=desk&after=0&chats=all');
    await until(() => fromStart.envelopes.length === 2);
    await messageFrom(bob, 'the last one');
    await until(() => fromStart.envelopes.length === 3);
    expect([textsOf(later), textsOf(fromStart)]).toEqual([
      ['for both again'],
      ['for both', 'for both again', 'the last one'],
    ]);
    await fromStart.leave();
  });

  it('[KY5.5] are told of nobody else’s typing, over a WebSocket as well', async () => {
    const url = `${on.scene.gateway.url.replace('http', 'ws')}/session/messages?reader=ws`;
    const socket = new WebSocket(`${url}&events=chat.typing,user.status,message`, { headers: byKey });
    const seen: { type: string; data: { chatId?: string; user?: { id: string } } }[] = [];
    socket.on('message', (data) => void seen.push(JSON.parse((data as Buffer).toString()) as (typeof seen)[number]));
    await once(socket, 'open');
    for (const id of [cara, bob]) {
      await on.scene.sandbox.call('POST', `/accounts/${id}/typing`, { peer: ann });
      await on.scene.sandbox.call('PUT', `/accounts/${id}/status`, { online: true });
    }
    await messageFrom(cara, 'not for the key');
    await messageFrom(bob, 'for the key');
    // What is recorded may overtake what is not.
    await until(() => seen.length >= 3);
    expect(seen.map(({ data }) => data.chatId ?? data.user?.id)).not.toContain(cara);
    expect(seen.map(({ type }) => type).toSorted()).toEqual(['chat.typing', 'message', 'user.status']);
    socket.close();
    await once(socket, 'close');
  });

  it('[KY5.5] are refused what is of other chats, or of none', async () => {
    const refusalOf = async (query: string): Promise<unknown> => (await streamOf(`reader=x&${query}`)).refusal;
    const named = error('a key with chats has to name IDs of chats, or all');
    expect(await refusalOf(`chats=${bob},${cara}`)).toMatchObject(otherChat);
    for (const kind of ['private', 'groups', 'channels']) expect(await refusalOf(`chats=${kind}`)).toMatchObject(named);
    for (const type of ['session.connected', 'message.vote'])
      expect(await refusalOf(`events=message,${type}`)).toMatchObject(wholeAccount);
  });
});
