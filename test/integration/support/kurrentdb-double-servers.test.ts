import { randomUUID } from 'node:crypto';
import { AccessDeniedError, NO_STREAM, NotLeaderError } from '@kurrent/kurrentdb-client';
import { describe, expect, it } from 'vitest';
import { clientAt, collect, someEvent } from '../../support/kurrentdb-double/given.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';

describe('the tests’ KurrentDB server', () => {
  it('keeps what it has over a stop, on the same port', async () => {
    const server = await new KurrentDbDouble().start();
    const own = clientAt(server.url, server);
    const stream = randomUUID();
    await own.appendToStream(stream, someEvent());
    expect(await collect(own.readStream(stream))).toHaveLength(1);
    const { port } = server;
    await server.stop();
    await expect(own.appendToStream(stream, someEvent())).rejects.toThrow(/ECONNREFUSED|No connection/);
    await server.start();
    expect(server.port).toBe(port);
    expect((await own.appendToStream(stream, someEvent(), { streamState: 0n })).nextExpectedRevision).toBe(1n);
  });

  it('lets in who has the credentials', async () => {
    const guarded = await new KurrentDbDouble({ credentials: { username: 'admin', password: 'changeit' } }).start();
    const stranger = clientAt(guarded.url);
    const friend = clientAt(guarded.url.replace('//', '//admin:changeit@'), guarded);
    await expect(collect(stranger.readAll({ maxCount: 1 }))).rejects.toThrow(AccessDeniedError);
    expect(await collect(friend.readAll({ maxCount: 1 }))).toHaveLength(1);
  });

  it('sends who needs the leader to it', async () => {
    const leader = await new KurrentDbDouble().start();
    const follower = await new KurrentDbDouble({ log: leader.log }).start();
    follower.leader = { host: '127.0.0.1', port: leader.port };
    const own = clientAt(follower.url, leader, follower);
    const [stream, event] = [randomUUID(), someEvent()];
    const append = () => own.appendToStream(stream, event, { streamState: NO_STREAM, requiresLeader: true });
    await expect(append()).rejects.toThrow(NotLeaderError);
    expect((await append()).success).toBe(true);
    expect(leader.calls).toMatchObject({ batchAppend: 1 });
  });

  it('is found by gossip', async () => {
    const leader = await new KurrentDbDouble().start();
    const follower = await new KurrentDbDouble({ log: leader.log }).start();
    const members = [
      { host: '127.0.0.1', port: follower.port, role: 'follower' as const },
      { host: '127.0.0.1', port: leader.port, role: 'leader' as const },
    ];
    [leader.members, follower.members] = [members, members];
    const own = clientAt(`kurrentdb+discover://127.0.0.1:${follower.port}?tls=false`, leader, follower);
    await own.appendToStream(randomUUID(), someEvent());
    expect([leader.calls['batchAppend'], follower.calls['batchAppend']]).toEqual([1, undefined]);
  });

  it('scavenges what no stream shows, but for the last event', async () => {
    const server = await new KurrentDbDouble().start();
    const own = clientAt(server.url, server);
    const stream = randomUUID();
    await own.appendToStream(stream, [someEvent({ text: 'early' }), someEvent({ text: 'last' })]);
    await own.deleteStream(stream);
    server.log.scavenge();
    const left = server.log.all.filter((event) => event.stream === stream);
    expect(left.map(({ data }) => Buffer.from(data).toString())).toEqual(['{"text":"last"}']);
    expect((await own.appendToStream(stream, someEvent(), { streamState: NO_STREAM })).nextExpectedRevision).toBe(2n);
  });
});
