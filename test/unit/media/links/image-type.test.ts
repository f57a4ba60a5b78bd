import { expect, it } from 'vitest';
import { imageType } from '../../../../src/media/links/image-type.ts';

it.each([
  ['image/jpeg', 'ffd8ffe000104a46'],
  ['image/png', '89504e470d0a1a0a'],
  ['image/gif', '474946383961'],
  ['image/webp', '52494646aaf08f0057454250'],
  ['video/mp4', '000000186674797069736f6d'],
  ['application/octet-stream', '00ffd8ff'],
  ['application/octet-stream', ''],
])('[ME3.3] knows %s by its first bytes', (type, bytes) => {
  expect(imageType(Buffer.from(bytes, 'hex'))).toBe(type);
});
