import bigInt from 'big-integer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownLayers, mtprotoSchema, schemaOfLayer } from '../../../../sandbox/tl/layers.ts';
import { TlReader } from '../../../../sandbox/tl/reader.ts';
import { createSchema, type Schema } from '../../../../sandbox/tl/schema.ts';
import { TlError } from '../../../../sandbox/tl/tl-error.ts';
import { tlValues } from '../../../support/sandbox/tl-values.ts';
import { Api } from '../../../support/telegram-clients/gramjs.ts';

const roundTrip = (schema: Schema, value: unknown): unknown => schema.read(new TlReader(schema.write(value)));

const schemas: [string, Schema][] = [
  ['MTProto', mtprotoSchema],
  ...knownLayers().map((layer): [string, Schema] => [`layer ${layer}`, schemaOfLayer(layer)]),
];

describe.each(schemas)('the schema of %s', (_name, schema) => {
  it('reads every constructor and method as it was written, and refuses truncated bytes', () => {
    const values = tlValues(schema);
    for (const definition of schema.definitions()) {
      fc.assert(
        fc.property(fc.gen(), (generate) => {
          const value = values.object(definition, generate);
          const bytes = schema.write(value);
          expect(schema.read(new TlReader(bytes))).toEqual(value);
          expect(() => schema.read(new TlReader(bytes.subarray(0, -4)))).toThrow(TlError);
        }),
        { numRuns: 3, seed: 1 },
      );
    }
  });

  it('reads any bytes or throws TlError', () => {
    const ids = [...schema.definitions()].map(({ id }) => id);
    fc.assert(
      fc.property(fc.constantFrom(...ids), fc.uint8Array({ maxLength: 400 }), (id, array) => {
        const bytes = Buffer.concat([Buffer.alloc(4), array]);
        bytes.writeUInt32LE(id);
        try {
          schema.read(new TlReader(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(TlError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the codec', () => {
  const schema = schemaOfLayer(198);

  it('writes the same bytes as clients', () => {
    const peer = { _: 'inputPeerUser', user_id: 1n, access_hash: -2n };
    expect(schema.write(peer).toString('hex')).toBe('4ca5e8dd0100000000000000feffffffffffffff');
    const sent = { _: 'messages.sendMessage', silent: true, peer: { _: 'inputPeerSelf' }, message: 'ü', random_id: 3n };
    const long = (value: number): never => bigInt(value) as never;
    expect(schema.write(sent)).toEqual(
      new Api.messages.SendMessage({
        silent: true,
        peer: new Api.InputPeerSelf(),
        message: 'ü',
        randomId: long(3),
      }).getBytes(),
    );
    const poll = { _: 'inputMediaContact', phone_number: '1', first_name: 'x'.repeat(254), last_name: '', vcard: '' };
    expect(schema.write(poll)).toEqual(
      new Api.InputMediaContact({ phoneNumber: '1', firstName: 'x'.repeat(254), lastName: '', vcard: '' }).getBytes(),
    );
  });

  it('writes either all fields of a flag or none', () => {
    const media = { _: 'inputMediaPhoto', id: { _: 'inputPhotoEmpty' } };
    expect(roundTrip(schema, { ...media, ttl_seconds: 0 })).toMatchObject({ ttl_seconds: 0 });
    const poll = { _: 'poll', id: 1n, question: { _: 'textWithEntities', text: '?' } };
    const solved = { _: 'inputMediaPoll', poll, solution: 'because' };
    expect(roundTrip(schema, solved)).toMatchObject({ solution: 'because', solution_entities: [] });
  });

  it('does not show the flags field in the object', () => {
    const dc = { _: 'dcOption', ipv6: true, id: 2, ip_address: '::1', port: 443, secret: Buffer.from([1, 2]) };
    expect(roundTrip(schema, dc)).toEqual({
      ...dc,
      media_only: false,
      tcpo_only: false,
      cdn: false,
      static: false,
      this_port_only: false,
    });
  });

  it('writes zero values for missing scalars, and ignores fields that the layer does not have', () => {
    expect(roundTrip(schema, { _: 'nearestDc', of_another_layer: 1 })).toEqual({
      _: 'nearestDc',
      country: '',
      this_dc: 0,
      nearest_dc: 0,
    });
  });

  it('names missing fields and wrong types in its errors', () => {
    expect(() => schema.write({ _: 'message', id: 1 })).toThrow('message.peer_id: Peer is missing');
    expect(() => schema.write({ _: 'message', peer_id: { _: 'user' } })).toThrow('message.peer_id: user is not a Peer');
    expect(() => schema.write({ _: 'message', peer_id: { _: 'nobody' } })).toThrow('the schema has no nobody');
    expect(() => schema.write({ _: 'nearestDc', country: {} })).toThrow(
      'nearestDc.country: expected a string or bytes',
    );
    expect(() => schema.write({ _: 'messages.messages', messages: {} })).toThrow('expected an array');
  });

  it('works after an error', () => {
    expect(() => schema.write({ _: 'message', id: 1 })).toThrow(TlError);
    expect(roundTrip(schema, { _: 'peerUser', user_id: 7n })).toEqual({ _: 'peerUser', user_id: 7n });
  });

  it('writes answers in the type of their method', () => {
    expect(schema.writeResult('contacts.getContactIDs', [1, 2]).toString('hex')).toBe(
      '15c4b51c020000000100000002000000',
    );
    expect(schema.writeResult('account.updateStatus', true).toString('hex')).toBe('b5757299');
    const users = schema.writeResult('users.getUsers', [{ _: 'userEmpty', id: 3n }]);
    expect(schema.read(new TlReader(users))).toEqual([{ _: 'userEmpty', id: 3n }]);
    expect(() => schema.writeResult('users.getUsers', [{ _: 'peerUser', user_id: 3n }])).toThrow(
      'peerUser is not a User',
    );
  });

  it('reads and writes bare vectors and constructors', () => {
    const bare = createSchema('---types---\nsalt#00000001 n:int = Salt;\nsalts#00000002 list:vector<salt> = Salts;\n');
    const salts = { _: 'salts', list: [{ _: 'salt', n: 5 }] };
    expect(bare.write(salts).toString('hex')).toBe('020000000100000005000000');
    expect(roundTrip(bare, salts)).toEqual(salts);
  });

  it.each([
    [253, 256],
    [254, 260],
    [70_000, 70_004],
  ])('writes %i bytes in %i', (length, total) => {
    const file = { _: 'inputFileLocation', file_reference: Buffer.alloc(length, 1) };
    const empty = schema.write({ _: 'inputFileLocation' }).length - 4;
    expect(schema.write(file).length - empty).toBe(total);
    const { file_reference: read } = roundTrip(schema, file) as { file_reference: Buffer };
    expect(read.equals(file.file_reference)).toBe(true);
  });
});

describe('layers', () => {
  it('without a schema use that of the lowest', () => {
    expect(knownLayers()).toEqual([198, 227]);
    expect(schemaOfLayer(198)).not.toBe(schemaOfLayer(227));
    for (const layer of [0, 144, 226, 228]) expect(schemaOfLayer(layer)).toBe(schemaOfLayer(198));
  });
});
