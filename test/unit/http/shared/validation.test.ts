import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { SettingsBody } from '../../../../src/http/session/schemas.ts';
import { filledText } from '../../../../src/http/shared/fields.ts';
import { IdempotencyHeaders } from '../../../../src/http/shared/idempotent-send.ts';
import { keywords } from '../../../../src/http/shared/keywords.ts';
import { failuresOf, validatorCompiler } from '../../../../src/http/shared/validation.ts';
import { chatsField } from '../../../../src/http/webhook/event-filter-fields.ts';

describe('the header Idempotency-Key', () => {
  it('[MS7.1] has at most 128 characters', () => {
    const lines = (key: string): string[] => failuresOf(IdempotencyHeaders, { 'idempotency-key': key }, 'headers');
    expect(lines('')).toEqual([]);
    expect(lines('k'.repeat(128))).toEqual([]);
    expect(lines('k'.repeat(129))).toEqual(['idempotency-key must be shorter than or equal to 128 characters']);
  });
});

describe('a word or a list in a query', () => {
  const Query = Type.Object({ chats: Type.Optional(chatsField) });
  const validate = validatorCompiler({ schema: Query, method: 'GET', url: '/', httpPart: 'querystring' });

  it('[EV1.2] is the word, or what the commas part', () => {
    expect(validate({ chats: 'groups' })).toEqual({ value: { chats: 'groups' } });
    expect(validate({ chats: '1002' })).toEqual({ value: { chats: ['1002'] } });
    expect(validate({ chats: '1002,-2001' })).toEqual({ value: { chats: ['1002', '-2001'] } });
    expect(validate({ chats: ['1002', '-2001'] })).toEqual({ value: { chats: ['1002', '-2001'] } });
    expect(validate({ chats: 'nowhere' })).toHaveProperty('error.statusCode', 400);
  });
});

describe('query', () => {
  const Query = Type.Object({ groupId: Type.String(), before: Type.Optional(Type.String()) });

  it('[ER2.3] a required parameter that is missing gives both lines, an empty one gives one', () => {
    expect(failuresOf(Query, {}, 'query')).toEqual(['groupId must be a string', 'groupId should not be empty']);
    expect(failuresOf(Query, { groupId: '' }, 'query')).toEqual(['groupId should not be empty']);
    expect(failuresOf(Query, { groupId: ['a', 'b'] }, 'query')).toEqual(['groupId must be a string']);
    expect(failuresOf(Query, { groupId: 'a' }, 'query')).toEqual([]);
  });
});

describe('null', () => {
  const validate = validatorCompiler({ schema: SettingsBody, method: 'POST', url: '/session', httpPart: 'body' });

  it('says the same as leaving a field out', () => {
    expect(validate({ name: null, webhook: { url: null, token: null } })).toEqual({ value: { webhook: {} } });
    expect(validate(null)).toEqual({ value: {} });
  });

  it('[ER2.1] joins the lines of all failures with line feeds', () => {
    expect(validate({ name: 1, metadata: 2 })).toMatchObject({
      error: { statusCode: 400, message: 'name must be a string\nmetadata must be an object' },
    });
  });

  it('[ER1.1] ends after 20 lines', () => {
    const schema = Type.Object(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, Type.String()])));
    const validateMany = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' });
    const { error } = validateMany({}) as { error: Error };
    expect(error.message.split('\n')).toHaveLength(20);
  });
});

describe('a list', () => {
  const schema = Type.Object({
    ids: Type.Array(Type.String(keywords({ pattern: '^[0-9]+$', is: 'a number' })), { minItems: 1, maxItems: 3 }),
    places: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 9 }), { maxItems: 2 })),
    items: Type.Optional(Type.Array(Type.Object({ name: filledText }))),
  });

  it.each<[object, string[]]>([
    [{ ids: ['1', '22'] }, []],
    [{ ids: ['1'], places: [], items: [] }, []],
    [{}, ['ids should not be empty']],
    [{ ids: [] }, ['ids should not be empty']],
    [{ ids: '1' }, ['ids must be an array']],
    [{ ids: { 0: '1' } }, ['ids must be an array']],
    [{ ids: ['1', '2', '3', 'four'] }, ['ids must have between 1 and 3 entries']],
    [{ ids: ['1', 'two', 3] }, ['ids.1 must be a number', 'ids.2 must be a string']],
    [{ ids: ['', null] }, ['ids.0 should not be empty', 'ids.1 should not be empty']],
    [{ ids: ['1'], places: [0, 10, 'x'] }, ['places must have between 0 and 2 entries']],
    [{ ids: ['1'], places: [10, 0.5] }, ['places.0 must be between 0 and 9', 'places.1 must be an integer']],
    [
      { ids: ['1'], items: [{}, { name: ' ' }, 5, { name: 'a' }] },
      ['items.0.name should not be empty', 'items.1.name should not be empty', 'items.2 must be an object'],
    ],
  ])('[ER2.7] %j', (body, lines) => {
    expect(failuresOf(schema, body, 'body')).toEqual(lines);
  });

  it.each<[unknown, unknown]>([
    ['1', { value: { ids: ['1'] } }],
    ['1,2', { value: { ids: ['1', '2'] } }],
    [['1', '2,3'], { value: { ids: ['1', '2', '3'] } }],
    [['1', 'x'], { error: expect.objectContaining({ message: 'ids.1 must be a number' }) }],
    ['1,', { error: expect.objectContaining({ message: 'ids.1 should not be empty' }) }],
    ['', { error: expect.objectContaining({ message: 'ids should not be empty' }) }],
    [undefined, { error: expect.objectContaining({ message: 'ids must be a string\nids should not be empty' }) }],
  ])('[ER2.7] in a query: %j', (ids, result) => {
    const validate = validatorCompiler({ schema, httpPart: 'querystring', method: 'DELETE', url: '/' });
    expect(validate({ ids })).toMatchObject(result as object);
  });
});
