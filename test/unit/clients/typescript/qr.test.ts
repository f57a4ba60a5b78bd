import fc from 'fast-check';
import jsqr from 'jsqr';
import { encodeQR } from 'qr';
import { describe, expect, it } from 'vitest';
import { qrContent } from '../../../../clients/typescript/src/login/qr-content.ts';
import { loginQr } from '../../../../clients/typescript/src/login/wait-for-login.ts';
import { qrPng } from '../../../../src/http/session/qr-image.ts';

const link = 'tg://login?token=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA';

/** The modules of a QR code, without a margin. */
function codeOf(text: string, options: { ecc: 'low' | 'medium' | 'quartile' | 'high'; mask?: number }): boolean[][] {
  const framed = encodeQR(text, 'raw', { ...options, border: 1, encoding: 'byte' });
  return framed.slice(1, -1).map((row) => row.slice(1, -1));
}

/** What a camera reads on a terminal whose text is `text`: each half block is four pixels. */
function readTerminal(text: string): string | undefined {
  const rows = text
    .split('\n')
    // oxlint-disable-next-line no-control-regex -- the colours of the terminal
    .map((line) => line.replaceAll(/\u001B\[[\d;]*m/g, ''))
    .filter((line) => line !== '')
    .flatMap((line) => [
      Array.from(line, (block) => '▀█'.includes(block)),
      Array.from(line, (block) => '▄█'.includes(block)),
    ]);
  const scale = 4;
  const size = (rows[0]?.length ?? 0) * scale;
  const pixels = new Uint8ClampedArray(size * rows.length * scale * 4);
  for (let y = 0; y < rows.length * scale; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const value = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 0 : 255;
      pixels.set([value, value, value, 255], (y * size + x) * 4);
    }
  }
  return jsqr.default(pixels, size, rows.length * scale)?.data;
}

describe('the QR code of a login', () => {
  it('[TC1.3] is a text that a camera reads from a terminal, a data URI, and the link that it says', async () => {
    const png = qrPng(link).toString('base64');
    const qr = await loginQr(png);
    expect(qr.link).toBe(link);
    expect(qr.dataUri).toBe(`data:image/png;base64,${png}`);
    expect(readTerminal(qr.text)).toBe(link);
    // Black on white, whatever the terminal's own colours are.
    expect(qr.text.split('\n').filter((line) => line !== '' && !line.startsWith('\u001B[30;107m'))).toEqual([]);
  });

  it('[TC1.3] reads every code of up to version 10, at each level of correction', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 110, unit: 'grapheme-ascii' }),
        fc.constantFrom('low' as const, 'medium' as const, 'quartile' as const, 'high' as const),
        fc.integer({ min: 0, max: 7 }),
        (text, ecc, mask) => {
          expect(qrContent(codeOf(text, { ecc, mask }))).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[TC1.3] has no link where the code is too large to be one of a login', () => {
    expect(qrContent(codeOf('x'.repeat(1_000), { ecc: 'low' }))).toBeUndefined();
  });

  it('[TC1.3] refuses a picture that is none of the interface', async () => {
    const cutOff = qrPng(link).subarray(0, -40);
    const pictures = [Buffer.from('no picture'), Buffer.from('none, but long enough for one'), cutOff];
    for (const picture of pictures)
      await expect(loginQr(picture.toString('base64'))).rejects.toThrow('the QR code is no plain PNG');
  });
});
