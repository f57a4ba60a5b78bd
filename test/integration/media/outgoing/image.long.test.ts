import sharp, { type Metadata, type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { type MediaScene, startMediaScene } from '../../../support/media/scene.ts';

let scene: MediaScene;

beforeAll(async () => {
  scene = await startMediaScene();
});

afterAll(() => scene.close());

interface Sent {
  /** The JPEG's pixels, three bytes each. */
  pixels: Buffer;
  width: number;
  height: number;
  metadata: Metadata;
  bytes: number;
}

/** What would be sent of a picture, decoded. */
function sent(picture: Buffer): Promise<Sent> {
  return scene.media.withPrepared(
    { type: 'image', url: scene.serve('picture', picture) },
    new LightAbort(),
    async (media) => {
      expect(media).toMatchObject({ kind: 'photo', file: { name: 'image.jpg', mimetype: 'image/jpeg' } });
      const metadata = await sharp(media.file.path).metadata();
      const { data, info } = await sharp(media.file.path).raw().toBuffer({ resolveWithObject: true });
      expect(metadata.format).toBe('jpeg');
      expect(info.channels).toBe(3);
      return { pixels: data, width: info.width, height: info.height, metadata, bytes: media.file.size };
    },
  );
}

const red = { r: 255, g: 0, b: 0 };
const green = { r: 0, g: 255, b: 0 };
const blue = { r: 0, g: 0, b: 255 };
const yellow = { r: 255, g: 255, b: 0 };

/** Four fields of 200 × 100: red, green; blue, yellow. */
function fields(): Sharp {
  const field = (background: object, left: number, top: number) => ({
    input: { create: { width: 200, height: 100, channels: 3 as const, background } },
    left,
    top,
  });
  return sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } }).composite([
    field(red, 0, 0),
    field(green, 200, 0),
    field(blue, 0, 100),
    field(yellow, 200, 100),
  ]);
}

const names: Record<string, { r: number; g: number; b: number }> = {
  red,
  green,
  blue,
  yellow,
  white: { r: 255, g: 255, b: 255 },
};

/** The nearest of our colours at a place, given in parts of the whole. */
function colourAt({ pixels, width, height }: Sent, across: number, down: number): string {
  const at = (Math.floor(down * height) * width + Math.floor(across * width)) * 3;
  const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
  const distance = (colour: { r: number; g: number; b: number }): number =>
    Math.abs(colour.r - r) + Math.abs(colour.g - g) + Math.abs(colour.b - b);
  const [nearest] = Object.entries(names).toSorted(([, one], [, other]) => distance(one) - distance(other));
  if (nearest === undefined || distance(nearest[1]) > 60) return `${r},${g},${b}`;
  return nearest[0];
}

const corners = (picture: Sent): string[] => [
  colourAt(picture, 0.25, 0.25),
  colourAt(picture, 0.75, 0.25),
  colourAt(picture, 0.25, 0.75),
  colourAt(picture, 0.75, 0.75),
];

describe('pictures', () => {
  // The eight values of EXIF's Orientation (CIPA DC-008, 4.6.5): what is seen above left, above right, below left, below right.
  it.each([
    [1, ['red', 'green', 'blue', 'yellow']],
    [2, ['green', 'red', 'yellow', 'blue']],
    [3, ['yellow', 'blue', 'green', 'red']],
    [4, ['blue', 'yellow', 'red', 'green']],
    [5, ['red', 'blue', 'green', 'yellow']],
    [6, ['blue', 'red', 'yellow', 'green']],
    [7, ['yellow', 'green', 'blue', 'red']],
    [8, ['green', 'yellow', 'red', 'blue']],
  ])('[MS3.1] orientation %i of JPEG, PNG and WebP is upright', async (orientation, expected) => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const picture = await sent(await fields().withMetadata({ orientation }).toFormat(format).toBuffer());
      expect(corners(picture)).toEqual(expected);
      expect([picture.width, picture.height]).toEqual(orientation > 4 ? [200, 400] : [400, 200]);
      expect(picture.metadata.orientation ?? 1).toBe(1);
    }
  });

  it('[MS3.1] a large picture that lies on its side is made smaller and upright', async () => {
    const large = await fields().png().toBuffer();
    const sideways = await sharp(large).resize(4000, 2000).withMetadata({ orientation: 6 }).png().toBuffer();
    const picture = await sent(sideways);
    expect([picture.width, picture.height]).toEqual([1280, 2560]);
    expect(corners(picture)).toEqual(['blue', 'red', 'yellow', 'green']);
  });

  it.each(['webp', 'png'] as const)('[MS3.1] what is transparent in a %s is white', async (format) => {
    const clear = { create: { width: 400, height: 200, channels: 4 as const, background: { ...red, alpha: 0 } } };
    const solid = {
      input: { create: { width: 200, height: 200, channels: 4 as const, background: { ...blue, alpha: 1 } } },
    };
    const bytes = await sharp(clear)
      .composite([{ ...solid, left: 200, top: 0 }])
      .toFormat(format, { lossless: true })
      .toBuffer();
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
    expect(corners(await sent(bytes))).toEqual(['white', 'blue', 'white', 'blue']);
  });

  it('[MS3.1] 40 megapixels come down to 2560, plain and progressive', async () => {
    for (const progressive of [false, true]) {
      const bytes = await fields().png().toBuffer();
      const huge = await sharp(bytes).resize(7304, 5477, { fit: 'fill' }).jpeg({ progressive }).toBuffer();
      const picture = await sent(huge);
      expect([picture.width, picture.height]).toEqual([2560, 1920]);
      expect(corners(picture)).toEqual(['red', 'green', 'blue', 'yellow']);
    }
  });

  it.each([
    [2560, 2560, 2560, 2560],
    [2561, 200, 2560, 200],
    [300, 5120, 150, 2560],
    [7, 5, 7, 5],
    [1, 1, 1, 1],
    [20_000, 1_000, 2560, 128],
  ])('[MS3.1] %i × %i becomes %i × %i', async (width, height, expectedWidth, expectedHeight) => {
    const bytes = await sharp({ create: { width, height, channels: 3, background: red } })
      .png()
      .toBuffer();
    const picture = await sent(bytes);
    expect([picture.width, picture.height]).toEqual([expectedWidth, expectedHeight]);
  });

  it('[MS3.1] metadata is dropped', async () => {
    const bytes = await fields()
      .withExif({ IFD0: { Copyright: 'Ann', Make: 'Camera' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
      .withXmp('<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">secret</x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const { metadata } = await sent(bytes);
    expect([metadata.exif, metadata.xmp, metadata.icc, metadata.iptc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('[MS3.1] a wide colour space is brought to sRGB', async () => {
    // In Display P3 the same numbers are a stronger green than sRGB has.
    const bytes = await sharp({
      create: { width: 40, height: 40, channels: 3, background: { r: 120, g: 200, b: 120 } },
    })
      .withIccProfile('p3', { attach: true })
      .png()
      .toBuffer();
    const stored = await sharp(bytes, { ignoreIcc: true } as object)
      .raw()
      .toBuffer();
    const { pixels } = await sent(bytes);
    const original = await sharp(bytes).toColourspace('srgb').raw().toBuffer();
    expect(Math.abs((pixels[0] ?? 0) - (original[0] ?? 0))).toBeLessThan(4);
    expect(Math.abs((stored[0] ?? 0) - (original[0] ?? 0))).toBeGreaterThan(8);
  });

  it('[MS3.1] grey, 16 bits, palettes and CMYK become ordinary pictures', async () => {
    const pictures = [
      await fields().toColourspace('rgb16').png().toBuffer(),
      await fields().png({ palette: true }).toBuffer(),
      await fields().toColourspace('cmyk').jpeg().toBuffer(),
    ];
    for (const picture of pictures) {
      const { width, height, metadata } = await sent(picture);
      expect([width, height, metadata.space]).toEqual([400, 200, 'srgb']);
    }
    const grey = await sent(await fields().greyscale().jpeg().toBuffer());
    expect([grey.width, grey.metadata.format]).toEqual([400, 'jpeg']);
  });

  it('[MS3.1] of an animation the first frame', async () => {
    const frame = (background: object): Promise<Buffer> =>
      sharp({ create: { width: 60, height: 40, channels: 3, background } })
        .png()
        .toBuffer();
    const animation = await sharp([await frame(red), await frame(blue)], { join: { animated: true } })
      .webp()
      .toBuffer();
    const picture = await sent(animation);
    expect([picture.width, picture.height]).toEqual([60, 40]);
    expect(corners(picture)).toEqual(['red', 'red', 'red', 'red']);
  });
});
