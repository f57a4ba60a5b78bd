import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipPackedId } from '../../../../sandbox/mtproto/container.ts';
import { intermediateFraming } from '../../../../sandbox/net/framing.ts';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import { mtprotoSchema, schemaOfLayer, UnknownLayer } from '../../../../sandbox/tl/layers.ts';
import { TlWriter } from '../../../../sandbox/tl/writer.ts';
import { getState, useProtocolServer } from '../../../support/telegram-clients/protocol-fixture.ts';
import { askPlain } from '../../../support/telegram-clients/raw-handshake.ts';

const on = useProtocolServer();

/** Whether the session that was open before still gets answers. */
async function stillServed(): Promise<boolean> {
  const state = await on.session.result(on.session.call(getState));
  return (state as TlObject)._ === 'updates.state' && on.tiny.failures.length === 0;
}

/** Sends raw bytes over a connection of its own and waits until the server has read them and closed it. */
async function send(bytes: Buffer): Promise<void> {
  const socket = connect(on.server.ports.get(2) ?? 0, '127.0.0.1');
  // The server resets the connection.
  socket.on('error', () => {});
  socket.resume().end(bytes);
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
}

const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array): Buffer => Buffer.from(array));
const tags = fc.constantFrom('', 'ef', 'eeeeeeee', 'dddddddd').map((tag) => Buffer.from(tag, 'hex'));

describe('the server keeps serving after', () => {
  it('random bytes, with or without the tag of a transport', async () => {
    await fc.assert(
      fc.asyncProperty(tags, bytes(300), (tag, noise) => send(Buffer.concat([tag, noise]))),
      { numRuns: 100 },
    );
    expect(await stillServed()).toBe(true);
  });

  it('invalid packet lengths', async () => {
    for (const head of ['ffffffff', '00000080', '00000000', '01000000', 'ffffff7f']) {
      await send(Buffer.concat([Buffer.alloc(4, 0xee), Buffer.from(head, 'hex'), randomBytes(40)]));
      await send(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(4)]));
    }
    await send(Buffer.from('ef7fffffff', 'hex'));
    expect(await stillServed()).toBe(true);
  });

  it('unencrypted messages that are not part of a handshake', async () => {
    await fc.assert(
      fc.asyncProperty(bytes(200), async (noise) => {
        const header = Buffer.alloc(20);
        header.writeInt32LE(noise.length, 16);
        const packet = intermediateFraming.frame(Buffer.concat([header, noise]));
        await send(Buffer.concat([Buffer.alloc(4, 0xee), packet]));
      }),
      { numRuns: 50 },
    );
    expect(await stillServed()).toBe(true);
  });

  it('handshake steps that are too early or wrong', async () => {
    const nonces = { nonce: randomBytes(16), server_nonce: randomBytes(16) };
    const early = await on.open();
    expect(await askPlain(early, { _: 'set_client_DH_params', ...nonces, encrypted_data: randomBytes(32) })).toBe(
      undefined,
    );
    for (const wrong of [{ p: Buffer.from([3]) }, { server_nonce: randomBytes(16) }, {}]) {
      const connection = await on.open();
      const answer = await askPlain(connection, { _: 'req_pq_multi', nonce: nonces.nonce });
      const query = {
        _: 'req_DH_params',
        nonce: nonces.nonce,
        server_nonce: answer?.server_nonce,
        p: Buffer.from([1]),
        q: answer?.pq,
        public_key_fingerprint: 0n,
        encrypted_data: Buffer.alloc(256, 0xff),
        ...wrong,
      };
      expect(await askPlain(connection, query)).toBe(undefined);
      await connection.ended();
    }
    expect(await stillServed()).toBe(true);
  });

  it('envelopes that were altered, truncated or extended', async () => {
    const connection = await on.open();
    const idBytes = Buffer.from(on.keyId, 'hex');
    for (const length of [0, 8, 16, 17, 31, 48, 1000]) {
      connection.send(Buffer.concat([idBytes, randomBytes(16 + length)]));
      expect((await connection.next())?.readInt32LE(0)).toBe(-404);
    }
    expect(await stillServed()).toBe(true);
  });

  it('message bodies that are not TL', async () => {
    const known = [...schemaOfLayer(198).definitions(), ...mtprotoSchema.definitions()];
    const ids = known.filter(({ name }) => name !== 'destroy_auth_key').map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0x73f1f8dc, gzipPackedId, ...ids),
        fc.uint8Array({ maxLength: 40 }),
        async (id, noise) => {
          const other = await on.connected();
          const writer = new TlWriter();
          writer.int(id);
          writer.raw(noise);
          writer.raw(Buffer.alloc(-noise.length & 3));
          other.sendBody(writer.finish());
          other.connection.socket.end();
          await other.connection.ended();
        },
      ),
      { numRuns: 100 },
    );
    // The noise may name a layer, which the log then says how to add.
    expect(on.tiny.failures.filter((failure) => !(failure instanceof UnknownLayer))).toEqual([]);
    const back = await on.connected();
    expect(await back.result(back.call(getState))).toMatchObject({ pts: 1 });
  });

  it('decompression bombs', async () => {
    const writer = new TlWriter();
    writer.int(gzipPackedId);
    writer.bytes(gzipSync(Buffer.alloc(64 << 20)));
    const other = await on.connected();
    other.sendBody(writer.finish());
    await other.connection.ended();
    expect(await stillServed()).toBe(true);
  });
});
