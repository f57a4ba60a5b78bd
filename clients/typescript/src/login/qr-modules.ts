/** The modules of a QR code, row by row, without its margin: true is dark. */
export type QrModules = boolean[][];

/**
 * Reads the QR code of the interface: a PNG of black and white, straight and sharp.
 * @param png base64
 * @throws if it is another kind of picture
 */
export async function qrModules(png: string): Promise<QrModules> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const { width, height, lines } = await scanlines(bytes);
  const rowBytes = Math.ceil(width / 8);
  const isDark = (x: number, y: number): boolean =>
    (((lines[y * (rowBytes + 1) + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0;
  let first = 0;
  while (first < height && !isDark(first, first)) first += 1;
  // The corner is a finder pattern, whose edge is seven modules.
  let edge = first;
  while (edge < width && isDark(edge, first)) edge += 1;
  const scale = (edge - first) / 7;
  const size = Math.round((width - 2 * first) / scale);
  if (!Number.isInteger(scale) || scale < 1) throw new Error('the QR code is not a sharp one');
  return Array.from({ length: size }, (_row, y) =>
    Array.from({ length: size }, (_module, x) => isDark(first + x * scale, first + y * scale)),
  );
}

interface Scanlines {
  width: number;
  height: number;
  lines: Uint8Array;
}

/** @throws {Error} also where the decompression fails, whose own errors have no message on some runtimes */
async function scanlines(png: Uint8Array): Promise<Scanlines> {
  const plain = await plainScanlines(png).catch(() => undefined);
  if (plain === undefined) throw new Error('the QR code is no plain PNG');
  return plain;
}

/** PNG, second edition (ISO/IEC 15948): grey, one bit a pixel, no filter, not interlaced. @returns undefined: it is another kind */
async function plainScanlines(png: Uint8Array): Promise<Scanlines | undefined> {
  const view = new DataView(png.buffer);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const pixels: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 8; at < png.length; at += view.getUint32(at) + 12) {
    if (view.getUint32(at + 4) === 0x49_44_41_54)
      pixels.push(new Uint8Array(png.slice(at + 8, at + 8 + view.getUint32(at))));
  }
  const unpacked = new Blob(pixels).stream().pipeThrough(new DecompressionStream('deflate'));
  const lines = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const lineBytes = Math.ceil(width / 8) + 1;
  const isPlain = png[24] === 1 && png[25] === 0 && png[28] === 0 && lines.length === lineBytes * height;
  const hasFilter = lines.some((value, at) => at % lineBytes === 0 && value !== 0);
  return isPlain && !hasFilter ? { width, height, lines } : undefined;
}
