import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** The interface promises at least 256 (SE10); more helps cameras and costs almost nothing in black and white. */
const minPixels = 384;
/** ISO/IEC 18004 asks for a margin of four modules. */
const marginModules = 4;

/** A text as a QR code: PNG, black on white, one bit per pixel. */
export function qrPng(text: string): Buffer {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: marginModules });
  const scale = Math.ceil(minPixels / modules.length);
  return png(
    modules.length * scale,
    modules.flatMap((row) => Array.from<Buffer>({ length: scale }).fill(scanline(row, scale))),
  );
}

/** A row of pixels as PNG stores it: filter type 0, then eight pixels a byte, white is 1. */
function scanline(row: readonly boolean[], scale: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil((row.length * scale) / 8));
  for (let x = 0; x < row.length * scale; x += 1) {
    const byte = 1 + (x >> 3);
    if (row[Math.floor(x / scale)] !== true) line[byte] = (line[byte] ?? 0) | (0x80 >> (x & 7));
  }
  return line;
}

/** Portable Network Graphics, second edition (ISO/IEC 15948): signature, header, one block of pixels, end. */
function png(pixels: number, scanlines: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  header[8] = 1; // bits a pixel; colour type 0 (grey) and the three methods stay 0
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(scanlines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(content.length + 12);
  framed.writeUInt32BE(content.length, 0);
  framed.write(type, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4);
  return framed;
}
