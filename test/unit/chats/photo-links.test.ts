import { expect, it } from 'vitest';
import { signingPhotosOnce } from '../../../src/chats/photo-links.ts';
import type { MediaRef } from '../../../src/telegram/port/files.ts';

it('[CT1.2] signs each profile photo of a response once, and every other file each time', () => {
  const signed: string[] = [];
  const link = signingPhotosOnce(({ chatId, messageId, variant }, ext) => {
    const made = `${chatId}/${messageId}/${variant}.${ext}`;
    signed.push(made);
    return made;
  });
  const ref = (chatId: string, messageId: string, variant: MediaRef['variant']): MediaRef => ({
    chatId,
    messageId,
    variant,
  });
  expect(link(ref('1002', '5', 'profile'), 'jpg')).toBe('1002/5/profile.jpg');
  expect(link(ref('1002', '5', 'profile'), 'jpg')).toBe('1002/5/profile.jpg');
  expect(link(ref('1003', '5', 'profile'), 'jpg')).toBe('1003/5/profile.jpg');
  expect(link(ref('1002', '5', 'photo'), 'jpg')).toBe('1002/5/photo.jpg');
  expect(link(ref('1002', '5', 'photo'), 'jpg')).toBe('1002/5/photo.jpg');
  expect(signed).toEqual(['1002/5/profile.jpg', '1003/5/profile.jpg', '1002/5/photo.jpg', '1002/5/photo.jpg']);
});
