import type { ChartArrow } from './chart-layout.ts';

/** Pixels. */
const cornerRadius = 8;
const tipLength = 8;
const tipHalfWidth = 5;

/**
 * The shape of an arrow in SVG.
 * @returns `path`: the line with rounded corners, for the attribute `d`; `tip`: the `points` of a polygon
 */
export function arrowShape({ edgeX, laneX, fromY, toY }: ChartArrow): { path: string; tip: string } {
  const away = Math.sign(laneX - edgeX);
  const turn = Math.sign(toY - fromY) * cornerRadius;
  const tipX = rounded(edgeX + away * tipLength);
  return {
    path:
      `M${rounded(edgeX)} ${rounded(fromY)}H${rounded(laneX - away * cornerRadius)}` +
      `q${away * cornerRadius} 0 ${away * cornerRadius} ${turn}V${rounded(toY - turn)}q0 ${turn} ${-away * cornerRadius} ${turn}H${tipX}`,
    tip: `${rounded(edgeX + away)} ${rounded(toY)} ${tipX} ${rounded(toY - tipHalfWidth)} ${tipX} ${rounded(toY + tipHalfWidth)}`,
  };
}

/** A tenth of a pixel is the smallest difference that shows. */
const rounded = (length: number): number => Math.round(length * 10) / 10;
