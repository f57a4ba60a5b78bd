import { expect, it } from 'vitest';
import { createMediaLinks } from '../../../../src/media/links/media-link.ts';
import type { AccountFiles, RemoteFile } from '../../../../src/telegram/port/files.ts';
import { startTestApp } from '../../../support/gateway/http-app.ts';

it('[ME1.3] no signature reaches the log, whatever becomes of the link', async () => {
  const gateway = await startTestApp();
  const headers = await gateway.session();
  const file: RemoteFile = {
    id: 'd1',
    size: 4,
    mimetype: 'image/jpeg',
    name: '',
    read: async () => Buffer.from('test'),
  };
  const files: AccountFiles = { open: async () => file };
  await gateway.connect(headers, { id: '1001', files });
  const links = createMediaLinks({ keys: [Buffer.alloc(32, 1)], publicUrl: () => '' });
  const link = links.link(headers.id, '1001', { chatId: '1001', messageId: '7', variant: 'photo' }, 'jpg');
  const signature = /[\w-]{43}(?=\.)/.exec(link)?.[0] ?? '';
  expect((await gateway.app.inject({ url: link })).body).toBe('test');
  const others = [
    link.replace('/7/', '/8/'),
    `${link}?a`,
    `/x${link}`,
    `/${link}`,
    link.replace('/media/', '/MEDIA/'),
    link.replace('/media/', '/%6dedia/'),
    link.replace(headers.id, 'nobody'),
  ];
  for (const other of others) expect((await gateway.call('GET', other)).status).toBeGreaterThanOrEqual(400);
  expect((await gateway.call('POST', link)).status).toBe(405);
  await gateway.close();
  expect(gateway.logLines.join('\n')).toContain('/media/*');
  expect(gateway.logLines.join('\n')).not.toContain(signature);
});
