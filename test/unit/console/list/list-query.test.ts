import { describe, expect, it } from 'vitest';
import { apiQueryOf, everyLiveSession, listHref, readListQuery } from '../../../../console/list/list-query.ts';

describe('the address of the table', () => {
  it('[CO9.1] has what is asked for, and nothing else', () => {
    expect(listHref({})).toBe('#/sessions');
    expect(listHref(everyLiveSession)).toBe('#/sessions');
    const query = { ...everyLiveSession, state: 'deleted', q: 'Tür 7&8', sort: '-since', after: '12.0a' } as const;
    expect(listHref(query)).toBe('#/sessions?state=deleted&q=T%C3%BCr+7%268&sort=-since&after=12.0a');
    expect(readListQuery(listHref(query))).toEqual(query);
  });

  it('[CO9.1] leaves out what it does not know, and is no other page’s', () => {
    expect(readListQuery('#/sessions?state=gone&sort=name&colour=red')).toEqual(everyLiveSession);
    expect(readListQuery('#/sessions')).toEqual(everyLiveSession);
    for (const hash of ['', '#/', '#/sessions/0197', '#/sessionsx', '#/links'])
      expect(readListQuery(hash)).toBe(undefined);
  });

  it('[CO9.1] asks the API', () => {
    const query = { ...everyLiveSession, tenant: ' acme ', label: 'a b' };
    expect(apiQueryOf(everyLiveSession, 100)).toBe('limit=100&sort=-created');
    expect(apiQueryOf(query, 50)).toBe('limit=50&tenant=acme&label=a+b&sort=-created');
    expect(apiQueryOf({ ...query, state: 'any', after: '7' }, 50)).toContain('state=any');
  });
});
