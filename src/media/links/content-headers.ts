/** Headers that tell a browser how to treat a file. */
export interface ContentHeaders {
  'content-type': string;
  'content-disposition': string;
  'x-content-type-options': 'nosniff';
  /** For files that are saved. A browser's player is a page too, and would not play under it. */
  'content-security-policy'?: 'sandbox';
}

/** Types that a browser shows or plays without running anything inside; an SVG may hold scripts. */
const isShown = /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp)|(?:video|audio)\/[\w.+-]+)$/;
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
  const isInline = isShown.test(type);
  return {
    'content-type': type,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}${filename(name)}`,
    'x-content-type-options': 'nosniff',
    ...(isInline ? {} : { 'content-security-policy': 'sandbox' }),
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
