import { describe, expect, it } from 'vitest';
import { entityTag, isKnown, isSameAs } from '../../../../src/media/links/conditions.ts';
import { contentHeaders } from '../../../../src/media/links/content-headers.ts';

const tag = entityTag({ id: 'd5001', size: 42 });

describe('conditions', () => {
  it.each([
    [undefined, false],
    ['"d5001-42"', true],
    ['W/"d5001-42"', true],
    ['"other", "d5001-42"', true],
    ['*', true],
    ['"d5001-43"', false],
    ['d5001-42', false],
    ['', false],
  ])('[ME3.2] If-None-Match: %s', (header, known) => {
    expect(isKnown(header, tag)).toBe(known);
  });

  it.each([
    [undefined, true],
    ['"d5001-42"', true],
    ['W/"d5001-42"', false],
    ['"other"', false],
    ['Sat, 21 Nov 2026 16:00:00 GMT', false],
    ['*', false],
  ])('[ME3.2] If-Range: %s', (header, same) => {
    expect(isSameAs(header, tag)).toBe(same);
  });
});

describe('content headers', () => {
  const disposition = (mimetype: string, name = ''): string =>
    contentHeaders({ mimetype, name })['content-disposition'];

  const shown = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

  it('[ME3.3] images, videos and sounds are shown, everything else is saved', () => {
    expect(
      ['image/jpeg', 'image/webp', 'video/mp4', 'audio/ogg', 'IMAGE/PNG'].map((type) => disposition(type)),
    ).toEqual(Array(5).fill('inline'));
    const executable = ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'application/pdf', ''];
    expect(executable.map((type) => disposition(type))).toEqual(Array(6).fill('attachment'));
  });

  it.each([
    'audio/mpegurl',
    'audio/x-mpegurl',
    'audio/x-scpls',
    'video/svg+xml',
    'video/x+xml',
    'video/html',
    'audio/xhtml+xml',
    'audio/rss+xml',
    'video/vnd.mpegurl',
    'image/svg',
    'video/unheard-of',
  ])('[ME3.3] %s, though called a picture, video or sound, is saved', (type) => {
    for (const mimetype of [type, type.toUpperCase()]) expect(disposition(mimetype)).toBe('attachment');
  });

  it.each(['image/jpeg', 'video/mp4', 'VIDEO/QuickTime', 'audio/ogg'])(
    '[ME3.3] what is shown as %s fetches nothing',
    (mimetype) => {
      expect(contentHeaders({ mimetype, name: '' })).toMatchObject({
        'content-disposition': 'inline',
        'content-security-policy': shown,
      });
    },
  );

  it('[ME3.3] nothing is sniffed, and nothing runs', () => {
    expect(contentHeaders({ mimetype: 'text/html', name: 'a.html' })).toEqual({
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename="a.html"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  it('a type that is none, or would break the header, is that of unknown bytes', () => {
    for (const mimetype of ['', 'image', 'image/jpeg\r\nset-cookie: a=b', 'text/html; charset=utf-8', 'a/b/c']) {
      expect(contentHeaders({ mimetype, name: '' })['content-type']).toBe('application/octet-stream');
    }
  });

  it.each([
    ['paper.pdf', '; filename="paper.pdf"'],
    ['Übersicht "2026".pdf', `; filename="_bersicht _2026_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%222026%22.pdf`],
    ["it's (1)*.pdf", `; filename="it's (1)*.pdf"`],
    ["é'(*).pdf", `; filename="_'(*).pdf"; filename*=UTF-8''%C3%A9%27%28%2A%29.pdf`],
    ['100%.pdf', `; filename="100_.pdf"; filename*=UTF-8''100%25.pdf`],
    ['../../etc/passwd', '; filename=".._.._etc_passwd"'],
    ['a\r\nset-cookie: b', '; filename="a__set-cookie: b"'],
    ['exe.\u202efdp', '; filename="exe._fdp"'],
    ['\ud800.pdf', `; filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
    ['', ''],
  ])('the name %s', (name, written) => {
    expect(disposition('application/pdf', name)).toBe(`attachment${written}`);
  });

  it('a long name is cut, never in the middle of a character', () => {
    const written = disposition('application/pdf', 'é🙂'.repeat(500));
    expect(written.length).toBeLessThan(3000);
    expect(() => decodeURIComponent(written)).not.toThrow();
  });
});
