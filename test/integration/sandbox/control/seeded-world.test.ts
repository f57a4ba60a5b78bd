import { describe, expect, it } from 'vitest';
import { control, openSandbox, useSandbox } from '../../../support/sandbox/control-client.ts';

const { get, post } = useSandbox();

describe('the seeded world', () => {
  it('is always the same', async () => {
    const look = async () => {
      const paths = [
        '/accounts',
        '/accounts/1001/chats',
        '/accounts/1001/messages?peer=@daily&limit=300',
        '/accounts/1001/messages?peer=@makers',
      ];
      return Promise.all(paths.map(async (path) => (await get(path)).body));
    };
    const before = await look();
    await post('/accounts/1001/messages', { peer: '@daily', text: 'x' });
    await post('/accounts', { firstName: 'Eve' });
    expect(await look()).not.toEqual(before);
    await post('/reset');
    expect(await look()).toEqual(before);
    const { sandbox: other } = await openSandbox();
    const there = (await control(other, 'GET', '/accounts/1001/messages?peer=@daily&limit=300')).body;
    await other.close();
    expect(there).toEqual(before[2]);
    expect(there).toHaveLength(260);
  });

  it('has the documented groups and channels', async () => {
    const { body } = await get('/accounts/1001/chats');
    expect(body.map(({ peer, kind, title }: Record<string, string>) => `${peer} ${kind} ${title}`).toSorted()).toEqual(
      [
        '-1003001 group Makers',
        '-1003002 group Quiet room',
        '-1003003 group Read only',
        '-1003004 group Slow',
        '-1004001 channel Daily',
        '-1004002 channel Private notes',
        '-2001 group Family',
        '1002 user Bob Stone',
        '1003 user Cara',
        '1004 user Helper',
        '1005 user Dan Deleted',
      ].toSorted(),
    );
    expect((await get('/accounts/1001/messages?peer=-1004002')).body).toHaveLength(5);
  });
});
