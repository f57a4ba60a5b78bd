type PhotoSize = readonly [type: string, maxSidePixels: number];

/** Telegram's sizes of a photo in a message: the letter and the length of the longer side. */
const messageSizes: readonly PhotoSize[] = [
  ['s', 100],
  ['m', 320],
  ['x', 800],
  ['y', 1280],
  ['w', 2560],
];

/** Telegram's sizes of a profile photo: the letter and the side of the square. */
export const profileSizes: readonly PhotoSize[] = [
  ['a', 160],
  ['b', 320],
  ['c', 640],
];

/** The sizes of a photo in a message: all that are smaller than the photo, and the first that is not. */
export function messageSizesFor(width: number, height: number): readonly PhotoSize[] {
  const longerSide = Math.max(width, height);
  return messageSizes.filter((_size, index) => index === 0 || (messageSizes[index - 1]?.[1] ?? 0) < longerSide);
}
