import jsqr from 'jsqr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { qrPng } from '../../../../src/http/session/qr-image.ts';

describe('QR image', () => {
  it.each([
    'tg://login?token=AQJkbWFya2VyX3Rva2VuX2Zvcl90aGVfdGVzdHNfMDEyMzQ1Njc4OQ',
    `tg://login?token=${Buffer.alloc(96, 0xff).toString('base64url')}`,
    'x',
  ])('[SE10.2] %s is read back from a PNG of at least 256 pixels', async (link) => {
    const { data, info } = await sharp(qrPng(link)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(info.width).toBeGreaterThanOrEqual(256);
    expect(info.height).toBe(info.width);
    expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(link);
  });
});
