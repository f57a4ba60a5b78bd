import { expect, it } from 'vitest';
import type { Reading } from './reading-scene.ts';
import { refused } from './writing-scene.ts';

/** Tests that `GET` of these answers to nobody but the owner of a connected session. */
export function itIsForConnectedSessions(reading: Reading, paths: readonly string[]): void {
  it.each(paths)('[AU2.1] GET %s', async (url) => {
    const { gateway } = reading.scene;
    const { id, 'session-id': secret } = reading.caller.headers;
    expect(await gateway.http.request('GET', url)).toMatchObject(refused(400, 'invalid header'));
    const wrong = { id, 'session-id': `${secret.slice(1)}x` };
    expect(await gateway.http.request('GET', url, { headers: wrong })).toMatchObject(refused(404, 'session not found'));
    const waiting = await reading.scene.create();
    expect(await reading.scene.request(waiting, 'GET', url)).toMatchObject(refused(500, 'session not connected'));
  });
}
