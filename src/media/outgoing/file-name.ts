import mime from 'mime';

/** The name of a file whose URL has none. */
const extensions: Readonly<Record<string, string>> = {
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'video/quicktime': '.mov',
  'video/x-matroska': '.mkv',
  'audio/mpeg': '.mp3',
  'audio/mp3': '.mp3',
  'audio/mp4': '.m4a',
  'audio/aac': '.aac',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'audio/flac': '.flac',
};

/** The maximum of file systems. */
const maxNameLength = 255;

/** The name in a URL's path, in its own script; else the kind's name with the extension of the mime type. */
export function nameFromUrl(url: string, kind: 'video' | 'audio', mimetype: string): string {
  const last = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
  return nameOr(decoded(last), kind, mimetype);
}

/** The given name if it has an extension; else the kind's name with the extension of the mime type. */
export function nameOr(given: string, kind: 'video' | 'audio', mimetype: string): string {
  const name = tidyName(given);
  return /[^.]\.\w{1,8}$/.test(name) ? name : `${kind}${extensions[mimetype.toLowerCase()] ?? ''}`;
}

/**
 * The given name without folders, control characters and those that turn the direction of text: `report\u202Efdp.exe` is
 * shown as `reportexe.pdf`.
 */
export function tidyName(name: string): string {
  const tidy = name.replace(/[/\\\p{Cc}\p{Bidi_Control}]/gu, '_').trim();
  return Array.from(tidy).slice(0, maxNameLength).join('');
}

/** The type of the name's extension, so that the receiver's app opens the file with the right program; else the given one. */
export const mimeTypeOf = (name: string, given: string): string =>
  // The package takes a name without a dot for an extension.
  (name.includes('.') ? mime.getType(name) : null) ?? given;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
