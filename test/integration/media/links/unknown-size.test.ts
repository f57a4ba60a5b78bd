import { expect, it } from 'vitest';
import { createMediaLinks } from '../../../../src/media/links/media-link.ts';
import type { AccountFiles } from '../../../../src/telegram/port/files.ts';
import { startTestApp } from '../../../support/gateway/http-app.ts';

const chunkBytes = 524_288;

it.each([700, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, 3 * chunkBytes + 7])(
  '[ME4.6] a file of %i bytes, whose size Telegram does not say, is served whole',
  async (size) => {
    const gateway = await startTestApp();
    const headers = await gateway.session();
    const photo = Buffer.alloc(size, 'photo ');
    const files: AccountFiles = {
      open: async () => ({
        id: 'p1',
        size: undefined,
        mimetype: 'image/jpeg',
        name: '',
        read: async (offset, limit) => photo.subarray(offset, offset + limit),
      }),
    };
    await gateway.connect(headers, { id: '1001', files });
    const links = createMediaLinks({ keys: [Buffer.alloc(32, 1)], publicUrl: () => '' });
    const url = links.link(headers.id, '1001', { chatId: '1001', messageId: '7', variant: 'profile' }, 'jpg');
    const { statusCode, rawPayload } = await gateway.app.inject({ url });
    expect([statusCode, rawPayload.equals(photo)]).toEqual([200, true]);
    await gateway.close();
  },
);
