import type { QrModules } from './qr-modules.ts';

/** ISO/IEC 18004 asks for a margin of four modules. */
const margin = 4;
/** Black on white whatever the colours of the terminal are: phones do not read an inverted code. */
const blackOnWhite = '\u001B[30;107m';
const asBefore = '\u001B[0m';
/** Two rows of modules are one of text. */
const blocks = [' ', '▄', '▀', '█'];

/** A QR code to print on a terminal: lines of half blocks, with a line feed after each. */
export function qrText(modules: QrModules): string {
  const size = modules.length + 2 * margin;
  const isDark = (x: number, y: number): number => (modules[y - margin]?.[x - margin] ? 1 : 0);
  let text = '';
  for (let y = 0; y < size; y += 2) {
    text += blackOnWhite;
    for (let x = 0; x < size; x += 1) text += blocks[2 * isDark(x, y) + isDark(x, y + 1)];
    text += `${asBefore}\n`;
  }
  return text;
}
