import type { Arrow } from './lay-out.ts';

const radius = 8;
const tipLength = 8;
const tipHalfWidth = 5;

/** An arrow as an SVG draws it: its line, as a path with rounded corners, and its tip, as the points of a polygon. */
export function drawArrow({ edgeX, laneX, fromY, toY }: Arrow): { path: string; tip: string } {
  const away = Math.sign(laneX - edgeX);
  const turn = Math.sign(toY - fromY) * radius;
  const tipX = round(edgeX + away * tipLength);
  return {
    path:
      `M${round(edgeX)} ${round(fromY)}H${round(laneX - away * radius)}` +
      `q${away * radius} 0 ${away * radius} ${turn}V${round(toY - turn)}q0 ${turn} ${-away * radius} ${turn}H${tipX}`,
    tip: `${round(edgeX + away)} ${round(toY)} ${tipX} ${round(toY - tipHalfWidth)} ${tipX} ${round(toY + tipHalfWidth)}`,
  };
}

/** Nobody sees more of a pixel than a tenth. */
export const round = (length: number): number => Math.round(length * 10) / 10;
