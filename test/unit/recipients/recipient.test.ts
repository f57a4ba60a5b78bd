import { describe, expect, it } from 'vitest';
import { type RecipientFields, readRecipient } from '../../../src/recipients/recipient.ts';

describe('recipient', () => {
  it.each([
    'name',
    '@name',
    't.me/name',
    'http://t.me/name',
    'https://t.me/name',
    'https://www.t.me/name',
    'https://t.me/name/',
    'https://t.me/name?start=1',
    'HTTPS://T.ME/name',
    'telegram.me/name',
    'https://telegram.me/name',
    'tg://resolve?domain=name',
    'tg://resolve/?text=hi&domain=name&start=1',
    '  @name ',
  ])('[MS1.2] takes %j for a username', (written) => {
    expect(readRecipient({ username: written })).toEqual({ kind: 'username', by: 'username', username: 'name' });
    expect(readRecipient({ group: written })).toEqual({ kind: 'group', by: 'username', username: 'name' });
    expect(readRecipient({ channel: written })).toEqual({ kind: 'channel', by: 'username', username: 'name' });
  });

  it.each([
    'a name',
    '1name',
    '_name',
    'na-me',
    'nämé',
    '@',
    '@@name',
    't.me/',
    'https://example.com/name',
    'a'.repeat(33),
  ])('[MS1.2] refuses %j as a username', (written) => {
    for (const field of ['username', 'group', 'channel']) {
      expect(() => readRecipient({ [field]: written })).toThrow('invalid chat');
    }
  });

  it('[MS1.2] takes IDs for groups, channels and users', () => {
    expect(readRecipient({ group: '-2001' })).toEqual({ kind: 'group', by: 'id', id: '-2001' });
    expect(readRecipient({ channel: '-1004001' })).toEqual({ kind: 'channel', by: 'id', id: '-1004001' });
    expect(readRecipient({ user: '1001' })).toEqual({ kind: 'user', by: 'id', id: '1001' });
  });

  it.each(['ann', '@ann', '1.5', '0', '-', '-2001', '9'.repeat(30)])('[MS1.2] knows no user %j', (written) => {
    expect(() => readRecipient({ user: written })).toThrow('chat not found');
  });

  it.each([
    ['+1 (555) 000-0001', '15550000001'],
    ['15550000001', '15550000001'],
    ['12345678', '12345678'],
  ])('[MS1.3] tidies the phone %j to %s', (written, digits) => {
    expect(readRecipient({ phone: written })).toEqual({ kind: 'phone', by: 'phone', digits });
  });

  it.each(['1234567', '+1-2-3-4-5-6-7', 'phone'])('[MS1.3] refuses the phone %j', (written) => {
    expect(() => readRecipient({ phone: written })).toThrow('invalid receiver');
  });

  it('[MS1.1] prefers group, then channel, user, username, phone', () => {
    const fields: RecipientFields = {
      group: '-2001',
      channel: '-1004001',
      user: '1001',
      username: 'ann',
      phone: '15550000001',
    };
    for (const kind of ['group', 'channel', 'user', 'username', 'phone'] as const) {
      expect(readRecipient(fields).kind).toBe(kind);
      fields[kind] = ' ';
    }
    expect(() => readRecipient(fields)).toThrow('invalid phone, username, user, group or channel');
  });

  it('[MS1.1] needs a receiver', () => {
    expect(() => readRecipient({})).toThrow('invalid phone, username, user, group or channel');
  });
});
