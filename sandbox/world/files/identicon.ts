import { encodeTileJpeg, tilesAlong, type YcbcrColour } from './tile-jpeg.ts';

/** The figure is drawn in a grid of 7 × 7 cells, with an empty border. */
const GRID_CELLS = 7;

/** A JPEG of a symmetrical figure on a plain background, as for avatars without a photo. The seed decides both. */
export function identicon(seed: number, width: number, height: number): Buffer {
  const columns = tilesAlong(width);
  const rows = tilesAlong(height);
  const background: YcbcrColour = [60 + (seed % 5) * 12, 96 + ((seed * 37) % 64), 96 + ((seed * 71) % 64)];
  const figure: YcbcrColour = [220, 255 - background[1], 255 - background[2]];
  return encodeTileJpeg(width, height, (column, row) => {
    const x = Math.floor((column * GRID_CELLS) / columns);
    const y = Math.floor((row * GRID_CELLS) / rows);
    const cell = Math.min(x, GRID_CELLS - 1 - x) + 4 * y;
    const isBorder = x === 0 || x === GRID_CELLS - 1 || y === 0 || y === GRID_CELLS - 1;
    const isFigure = !isBorder && ((seed * 2_654_435_761 + cell * 40_503) >>> (cell % 13)) % 3 === 0;
    const colour = isFigure ? figure : background;
    // A gradient from top to bottom.
    const shade = Math.floor((16 * row) / rows);
    return [colour[0] + shade, colour[1], colour[2]];
  });
}
