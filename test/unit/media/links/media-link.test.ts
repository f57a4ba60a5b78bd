import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { extensionOf } from '../../../../src/media/links/extension.ts';
import { createMediaLinks } from '../../../../src/media/links/media-link.ts';
import type { MediaRef } from '../../../../src/telegram/port/files.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';

const publicUrl = (): string => 'https://media.example';
const oldKey = Buffer.alloc(32, 1);
const newKey = Buffer.alloc(32, 2);
const links = createMediaLinks({ keys: [oldKey], publicUrl });

const sessionId = '019b7e3c-5d00-7abc-8def-0123456789ab';
const account = '1001';
const own = { id: account, isFirst: true, isOnly: true };
const ref: MediaRef = { chatId: '-1004001', messageId: '200', variant: 'photo' };
const pathOf = (link: string): string => link.slice(publicUrl().length);

describe('media links', () => {
  it('[ME1.1] a link begins with the public URL, has every part in its place, and is understood', () => {
    const link = links.link(sessionId, account, ref, 'jpg');
    expect(link).toMatch(
      new RegExp(`^https://media\\.example/media/${sessionId}/-1004001/200/photo/[\\w-]{43}\\.jpg$`),
    );
    expect(links.verify(pathOf(link), own)).toEqual({ sessionId, account, ref });
    expect(links.link(sessionId, account, ref, 'jpg')).toBe(link);
  });

  it('[ME1.1] the signature is the HMAC-SHA256 of the form that is drawn, whole', () => {
    const piece = (text: string): Buffer => Buffer.concat([Buffer.of(0, text.length), Buffer.from(text)]);
    const form = Buffer.concat([
      Buffer.of(2),
      ...[sessionId, '-1004001', '200', 'photo', 'jpg', account].map((text) => piece(text)),
    ]);
    const signature = createHmac('sha256', oldKey).update(form).digest('base64url');
    expect(signature).toHaveLength(43);
    expect(links.link(sessionId, account, ref, 'jpg')).toContain(`/${signature}.jpg`);
  });

  it('[ME1.4] of another account is not understood', () => {
    const path = pathOf(links.link(sessionId, account, ref, 'jpg'));
    expect(links.verify(path, { ...own, isOnly: false })).toEqual({ sessionId, account, ref });
    expect(links.verify(path, { ...own, id: '1002' })).toBeUndefined();
    expect(links.verify(path, { ...own, id: '' })).toBeUndefined();
  });

  it('[ME1.5] of version 1, without an account, is understood as long as the session has had one', () => {
    const piece = (text: string): Buffer => Buffer.concat([Buffer.of(0, text.length), Buffer.from(text)]);
    const parts = [sessionId, '-1004001', '200', 'photo', 'jpg'];
    const form = Buffer.concat([Buffer.of(1), ...parts.map((text) => piece(text))]);
    const signature = createHmac('sha256', oldKey).update(form).digest('base64url');
    const path = `/media/${sessionId}/-1004001/200/photo/${signature}.jpg`;
    expect(links.verify(path, own)).toEqual({ sessionId, account, ref });
    expect(links.verify(path, { ...own, isOnly: false })).toBeUndefined();
  });

  it('[ME1.2] the first key signs, all verify, and one that was taken away does not', () => {
    const both = createMediaLinks({ keys: [newKey, oldKey], publicUrl });
    const old = links.link(sessionId, account, ref, 'jpg');
    expect(both.verify(pathOf(old), own)).toEqual({ sessionId, account, ref });
    const made = both.link(sessionId, account, ref, 'jpg');
    expect(made).not.toBe(old);
    expect(createMediaLinks({ keys: [newKey], publicUrl }).verify(pathOf(made), own)).toEqual({
      sessionId,
      account,
      ref,
    });
    expect(createMediaLinks({ keys: [newKey], publicUrl }).verify(pathOf(old), own)).toBeUndefined();
    expect(() => createMediaLinks({ keys: [], publicUrl })).toThrow('no key');
  });

  it('[ME1.1] the four last characters that decode to the same signature: one of them is right', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const path = pathOf(links.link(sessionId, account, ref, 'jpg'));
    const at = path.length - '.jpg'.length - 1;
    const served = alphabet
      .split('')
      .filter((last) => links.verify(path.slice(0, at) + last + path.slice(at + 1), own));
    expect(served).toEqual([path[at]]);
  });

  it('[ME1.1] 30,000 altered links: none is understood', () => {
    const random = createSeededRandomness(7, createDrivenClock());
    const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random.fraction() * list.length)] as T;
    const others = [newKey, Buffer.alloc(32), Buffer.alloc(64, 1), Buffer.alloc(0)].map((key) =>
      createMediaLinks({ keys: [key], publicUrl }),
    );
    const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./%=~ \\\0é';
    const variants = ['photo', 'thumb', 'file', 'profile', 'story-photo', 'story-thumb', 'story-file'];
    const tricks: ((path: string) => string)[] = [
      (path) => path.replace('/media/', '/media//'),
      (path) => path.replace('/media/', '/media/./'),
      (path) => path.replace('/media/', '/x/../media/'),
      (path) => path.replace('/photo/', '/%70hoto/'),
      (path) => path.replace('/photo/', '/photo%2f'),
      (path) => path.replace('/200/', '/0200/'),
      (path) => path.replace('/200/', '/+200/'),
      (path) => path.replace('/200/', '/２００/'),
      (path) => path.replace('/-1004001/', '/-01004001/'),
      (path) => path.replace('/-1004001/200/', '/-100400/1200/'),
      (path) => path.replace('/-1004001/200/', '/-10040012/00/'),
      (path) => `${path}/`,
      (path) => `${path}?`,
      (path) => `${path}#`,
      (path) => `${path}\n`,
      (path) => ` ${path}`,
      (path) => path.replace('.jpg', '=.jpg'),
      (path) => path.replace('.jpg', '.jpg.jpg'),
      (path) => path.replace('.jpg', ''),
      (path) => path.replace('.jpg', '.'),
      (path) => path.replace('.jpg', '.html'),
      (path) => path.toUpperCase(),
      (path) => path.replace(sessionId, sessionId.toUpperCase()),
      (path) => path.replace(/[\w-]{43}(?=\.)/, (signature) => signature.toLowerCase()),
      (path) => path.replace(/[\w-]{43}(?=\.)/, (signature) => signature.toUpperCase()),
      (path) => path.replace(/[\w-]{43}(?=\.)/, (signature) => Buffer.from(signature, 'base64url').toString('hex')),
      (path) => path.replace(/[\w-]{43}(?=\.)/, (signature) => Buffer.from(signature, 'base64url').toString('base64')),
      (path) => path.replace(/[\w-]{43}(?=\.)/, (signature) => signature.split('').toReversed().join('')),
      (path) => path.replace(/[\w-]{43}(?=\.)/, ''),
      (path) => path.replace(/[\w-]{43}(?=\.)/, 'A'.repeat(43)),
    ];
    const ways: ((path: string) => string)[] = [
      (path) => pick(tricks)(path),
      // One character changed, put in, left out.
      (path) => {
        const at = Math.floor(random.fraction() * path.length);
        return path.slice(0, at) + pick(characters) + path.slice(at + 1);
      },
      (path) => {
        const at = Math.floor(random.fraction() * (path.length + 1));
        return path.slice(0, at) + pick(characters) + path.slice(at);
      },
      (path) => {
        const at = Math.floor(random.fraction() * path.length);
        return path.slice(0, at) + path.slice(at + 1);
      },
      (path) => path.slice(0, Math.floor(random.fraction() * path.length)),
      (path) => path.slice(1 + Math.floor(random.fraction() * (path.length - 1))),
      // Parts that change places, and parts of others.
      (path) => {
        const parts = path.split('/');
        const [a, b] = [2 + Math.floor(random.fraction() * 5), 2 + Math.floor(random.fraction() * 5)];
        [parts[a], parts[b]] = [parts[b] ?? '', parts[a] ?? ''];
        return parts.join('/');
      },
      (path) => path.replace('/photo/', `/${pick(variants)}/`),
      (path) => path.replace('/200/', `/${Math.floor(random.fraction() * 2 ** 31)}/`),
      (path) => path.replace('/-1004001/', `/${Math.floor((random.fraction() - 0.5) * 2 ** 40)}/`),
      (path) => path.replace(sessionId, random.uuid()),
      () => pathOf(pick(others).link(sessionId, account, ref, 'jpg')),
      (path) => path.replace(/[\w-]{43}(?=\.)/, random.bytes(32).toString('base64url')),
    ];
    const path = pathOf(links.link(sessionId, account, ref, 'jpg'));
    const altered = new Set<string>();
    for (let tries = 0; altered.size < 30_000 && tries < 1_000_000; tries++) {
      const change = pick(ways);
      const once = change(path);
      const changed = random.fraction() < 0.3 ? pick(ways)(once) : once;
      if (changed !== path) altered.add(changed);
    }
    expect(altered.size).toBe(30_000);
    expect([...altered].filter((changed) => links.verify(changed, own) !== undefined)).toEqual([]);
    expect(links.verify(path, own)).toBeDefined();
  });

  it('the extension is that of the name, else of the type', () => {
    expect(extensionOf('image/jpeg')).toBe('jpg');
    expect(extensionOf('VIDEO/MP4')).toBe('mp4');
    expect(extensionOf('image/webp')).toBe('webp');
    expect(extensionOf('application/x-unheard-of')).toBe('bin');
    expect(extensionOf('application/pdf', 'Minutes.DOCX')).toBe('docx');
    expect(extensionOf('application/pdf', 'no extension.at all')).toBe('pdf');
    expect(extensionOf('text/html', '../../etc/passwd')).toBe('bin');
  });
});
