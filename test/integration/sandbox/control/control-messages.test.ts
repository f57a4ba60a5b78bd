import { describe, expect, it } from 'vitest';
import { mediaKinds } from '../../../../sandbox/world/files/sample-options.ts';
import { refused, useSandbox } from '../../../support/sandbox/control-client.ts';

const { get, post, patch, remove } = useSandbox();

describe('messages', () => {
  it('can be sent, edited, read and deleted, and the other user sees it', async () => {
    const { body } = await post('/accounts/1001/messages', { peer: 1002, text: 'one', silent: true });
    expect(body).toEqual({ messageId: expect.stringMatching(/^\d+$/) });
    const path = `/accounts/1001/messages/1002/${body.messageId}`;
    expect((await patch(path, { text: 'two' })).status).toBe(200);
    const seen = async () => (await get('/accounts/1002/messages?peer=@ann&limit=1')).body[0];
    expect(await seen()).toMatchObject({
      text: 'two',
      out: false,
      silent: true,
      from: { userId: '1001', name: 'Ann Lee' },
    });
    expect((await seen()).edited).not.toBeNull();
    expect((await post('/accounts/1002/read', { peer: '1001' })).body).toEqual({ read: true });
    expect((await remove(path)).status).toBe(200);
    expect((await seen()).text).toBe('And the tea.');
    expect(await remove(path)).toEqual(refused(404, 'message not found'));
  });

  it('can have media of every kind', async () => {
    for (const kind of mediaKinds) {
      expect((await post('/accounts/1002/messages', { peer: 1001, media: { kind }, text: 'c' })).status).toBe(200);
    }
    const { body } = await get(`/accounts/1001/messages?peer=1002&limit=${mediaKinds.length}`);
    expect(body.toReversed().map(({ media }: { media: { kind: string } }) => media.kind)).toEqual(mediaKinds);
    const photo = body.find(({ media }: { media: { kind: string } }) => media.kind === 'photo');
    expect(photo.media).toMatchObject({
      mime: 'image/jpeg',
      width: 1280,
      height: 960,
      caption: 'c',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('can have a given file', async () => {
    const content = Buffer.from('hello file').toString('base64');
    await post('/accounts/1002/messages', {
      peer: 1001,
      media: { kind: 'document', content, name: 'a.txt', mime: 'text/plain' },
    });
    const { body } = await get('/accounts/1001/messages?peer=1002&limit=1');
    expect(body[0].media).toMatchObject({ kind: 'document', name: 'a.txt', size: 10, mime: 'text/plain' });
  });

  it('are refused with the matching error', async () => {
    expect(await post('/accounts/1001/messages', { peer: '-1003003', text: 'x' })).toEqual(
      refused(400, 'CHAT_WRITE_FORBIDDEN'),
    );
    expect(await post('/accounts/1001/messages', { peer: '@nobody', text: 'x' })).toEqual(
      refused(400, 'peer not found'),
    );
    expect(await post('/accounts/1001/messages', { peer: 1002 })).toEqual(refused(400, 'text should not be empty'));
    expect((await post('/accounts/1001/messages', { peer: 1002, media: { kind: 'hologram' } })).status).toBe(400);
    expect((await get('/accounts/1001/messages')).status).toBe(400);
  });
});
