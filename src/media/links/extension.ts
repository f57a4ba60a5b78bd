/** Extensions of types that browsers or players recognise by them; other files keep the extension of their own name. */
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'application/pdf': 'pdf',
};

/** The extension of a link to a file, without the dot: that of its name if it has one, else of its type. */
// Stryker disable next-line StringLiteral: any name without a dot has none
export function extensionOf(mimetype: string, name = ''): string {
  // Stryker disable next-line OptionalChaining: a match has the group
  const own = /\.([a-z\d]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  return own ?? extensions[mimetype.toLowerCase()] ?? 'bin';
}
