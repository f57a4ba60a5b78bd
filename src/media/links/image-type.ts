const signatures: readonly (readonly [mimetype: string, pattern: RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['video/mp4', /^[^]{4}ftyp/],
];

/** The type of an image by its first bytes, if it is not given. */
export function imageType(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 16);
  return signatures.find(([, pattern]) => pattern.test(head))?.[0] ?? 'application/octet-stream';
}
