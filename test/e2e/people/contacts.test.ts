import { describe, expect, it } from 'vitest';
import type { UserRow } from '../../../sandbox/world/state/rows.ts';
import { useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { itIsForConnectedSessions } from '../../support/e2e/session-bound.ts';
import { refused } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** Contacts and users against the seeded world: Bob is a contact of Ann's, Cara hides her number. */

const reading = useReading();
const { get } = reading;
const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  reading.scene.request(reading.caller, method, path, body);
const rowOf = (id: number): UserRow => {
  const row = reading.scene.telegram.world.tables.users.get(id);
  if (row === undefined) throw new Error(`no ${id}`);
  return row;
};
const control = <T>(method: string, url: string, body?: object): Promise<T> =>
  reading.scene.sandbox.call(method, url, body);

const bobAsUser = {
  id: bob,
  name: 'Bob Stone',
  username: 'bobstone',
  phone: '15550000002',
  picture: expect.stringMatching(/^http.*\/1002\/\d+\/profile\/.*\.jpg$/),
};
const done = () => ({ status: 200, body: { id: reading.caller.id } });
const bobsNumber = '+1 555 000 0002';
const hidden = 'phone is not on telegram or hidden by its privacy settings';

describe('contacts', () => {
  it('[PE1.1] are listed with every field', async () => {
    const { body } = await get<{ docs: { picture: string }[] }>('/contact');
    expect(body).toEqual({ docs: [bobAsUser] });
    expect((await fetch(body.docs[0]?.picture ?? '')).status).toBe(200);
  });

  it('[PE1.2] are saved under a name, saved again under another one, and deleted', async () => {
    expect(await ask('DELETE', `/contact/${bob}`)).toMatchObject(done());
    expect(rowOf(1001).contacts).toEqual([]);
    expect((await get('/contact')).body).toEqual({ docs: [] });
    for (const [name, saved] of [
      ['Robert  von Stone', { firstName: 'Robert', lastName: 'von Stone' }],
      ['Rob', { firstName: 'Rob', lastName: '' }],
    ] as const) {
      const expected = [saved.firstName, saved.lastName].filter(Boolean).join(' ');
      const added = await ask('POST', '/contact', { phone: bobsNumber, name });
      expect(added).toMatchObject({ status: 200, body: { ...bobAsUser, name: expected } });
      expect(rowOf(1001)).toMatchObject({ contacts: [1002], contactNames: { 1002: saved } });
      expect((await get('/contact')).body).toMatchObject({ docs: [{ id: bob, name: expected }] });
    }
    await ask('POST', '/contact', { phone: bobsNumber, name: 'Bob Stone' });
    await ask('DELETE', `/contact/@bobstone`);
    expect(rowOf(1001).contacts).toEqual([]);
    expect(await ask('DELETE', `/contact/${bob}`)).toMatchObject(done());
    await ask('POST', '/contact', { phone: bobsNumber, name: 'Bob Stone' });
  });

  it.each<[object, number, string]>([
    [{ phone: '15559999999', name: 'Nobody' }, 400, hidden],
    [{ phone: '42777', name: 'A' }, 400, 'invalid receiver'],
    [{ phone: ' ', name: '' }, 400, 'phone should not be empty\nname should not be empty'],
    [{ phone: 5, name: 'A' }, 400, 'phone must be a string'],
  ])('[PE1.2] %j is refused', async (body, status, message) => {
    expect(await ask('POST', '/contact', body)).toMatchObject(refused(status, message));
  });

  it('[PE1.3] a number is looked up', async () => {
    expect((await get('/contact/check?phone=15550000002')).body).toEqual({ exists: true, user: bobAsUser });
    expect((await get('/contact/check?phone=%2B15559999998')).body).toEqual({ exists: false });
    expect(await get('/contact/check?phone=1')).toMatchObject(refused(400, 'invalid receiver'));
    expect(await get('/contact/check')).toMatchObject(
      refused(400, 'phone must be a string\nphone should not be empty'),
    );
  });

  it('[PE1.3] a wait that Telegram asks for is no answer', async () => {
    await reading.fault({ method: 'contacts.resolvePhone', error: 'FLOOD_WAIT_400' });
    expect(await get('/contact/check?phone=15558888888')).toMatchObject(
      refused(500, 'A wait of 400 seconds is required (caused by contacts.ResolvePhone)'),
    );
  });
});

describe('users', () => {
  it('[PE1.4] by ID and by username', async () => {
    await control('PATCH', `/accounts/${bob}`, { about: 'Builds bridges' });
    const person = {
      ...bobAsUser,
      about: 'Builds bridges',
      isBot: false,
      isContact: true,
      isBlocked: false,
      isPremium: false,
    };
    for (const name of [bob, '@bobstone', '@BobStone']) expect((await get(`/user/${name}`)).body).toEqual(person);
    expect((await get('/user/1004')).body).toMatchObject({ username: 'helperbot', isBot: true, isContact: false });
    expect((await get('/user/1001')).body).toMatchObject({ id: ann, isPremium: true, phone: '15550000001' });
  });

  it('[PE1.5] are blocked, and not blocked any more', async () => {
    for (const _again of [1, 2]) {
      expect(await ask('POST', `/user/${bob}/block`)).toMatchObject(done());
      expect(rowOf(1001).blocked).toEqual([1002]);
      expect((await get(`/user/${bob}`)).body).toMatchObject({ isBlocked: true });
    }
    for (const _again of [1, 2]) {
      expect(await ask('DELETE', `/user/@bobstone/block`)).toMatchObject(done());
      expect(rowOf(1001).blocked).toEqual([]);
      expect((await get(`/user/${bob}`)).body).toMatchObject({ isBlocked: false });
    }
    const itself = '400: CONTACT_ID_INVALID (caused by contacts.Block)';
    expect(await ask('POST', `/user/${ann}/block`)).toMatchObject(refused(500, itself));
  });

  it.each([
    ['777000', 'chat not found'],
    ['42777', 'chat not found'],
    ['999999', 'chat not found'],
    ['-1003001', 'chat not found'],
    ['@makers', 'chat not found'],
    ['@nobody_there', 'chat not found'],
    ['bobstone', 'chat not found'],
    ['@-', 'invalid chat'],
  ])('[PE1.6] %s is no user', async (id, message) => {
    for (const [method, path] of [
      ['GET', `/user/${id}`],
      ['POST', `/user/${id}/block`],
      ['DELETE', `/user/${id}/block`],
      ['DELETE', `/contact/${id}`],
    ] as const) {
      expect(await ask(method, path)).toMatchObject(refused(400, message));
    }
  });

  it('[PE1.6] those who send login codes are in no list', async () => {
    const { contacts = [] } = rowOf(1001);
    await control('PATCH', `/accounts/${ann}`, { contacts: ['1002', '777000'] });
    expect(rowOf(1001).contacts).toContain(777000);
    expect((await get('/contact')).body).toMatchObject({ docs: [{ id: bob }] });
    await control('PATCH', `/accounts/${ann}`, { contacts: contacts.map(String) });
  });

  itIsForConnectedSessions(reading, ['/contact', '/contact/check?phone=15550000002', `/user/${bob}`, '/account']);
});
