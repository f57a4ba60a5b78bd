/** Headers that tell a browser how to treat a file. */
export interface ContentHeaders {
  'content-type': string;
  'content-disposition': string;
  'x-content-type-options': 'nosniff';
  'content-security-policy': typeof shownPolicy | typeof savedPolicy;
}

/**
 * Types that a browser shows or plays without running or fetching anything. An SVG may hold scripts, a playlist
 * (`audio/mpegurl`) names other addresses, and a type with `xml` or `html` in it may be read as a page.
 */
const shownTypes: ReadonlySet<string> = new Set(
  [
    'image/jpeg image/png image/gif image/webp image/avif image/bmp',
    'video/mp4 video/webm video/ogg video/quicktime video/mpeg video/mp2t video/3gpp video/3gpp2 video/x-matroska',
    'video/matroska video/x-msvideo video/x-m4v video/x-flv video/x-ms-wmv video/x-ms-asf',
    'audio/mpeg audio/mp3 audio/mp4 audio/aac audio/x-aac audio/x-m4a audio/ogg audio/opus audio/vorbis audio/webm',
    'audio/wav audio/wave audio/x-wav audio/vnd.wave audio/flac audio/x-flac audio/aiff audio/x-aiff audio/amr audio/3gpp',
    'audio/3gpp2 audio/x-matroska audio/x-ms-wma',
  ].flatMap((line) => line.split(' ')),
);
/**
 * A browser's own page around an image or a player shows the file itself, with styles, and nothing else. Under `sandbox` it
 * would not play.
 */
const shownPolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const savedPolicy = "sandbox; default-src 'none'";
const wellFormedType = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;
const unknownType = 'application/octet-stream';
const maxNameLength = 180;

/**
 * The headers of a received file. Its type and name come from its sender and must not cause anything on the gateway's
 * address.
 * @param file `name` is empty if it has none
 */
export function contentHeaders({ mimetype, name }: { mimetype: string; name: string }): ContentHeaders {
  const type = wellFormedType.test(mimetype) ? mimetype.toLowerCase() : unknownType;
  const isInline = shownTypes.has(type);
  return {
    'content-type': type,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}${filename(name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': isInline ? shownPolicy : savedPolicy,
  };
}

/** The name by RFC 6266: in ASCII for old clients, and in full, percent-encoded (RFC 8187). */
function filename(name: string): string {
  const clean = wellFormed(
    wellFormed(name)
      .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '_')
      .slice(0, maxNameLength),
  );
  if (clean === '') return '';
  const ascii = clean.replaceAll(/[^ -~]|["%]/g, '_');
  const encoded = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === clean ? `; filename="${clean}"` : `; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Half a surrogate pair has no encoding: U+FFFD replaces it. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
