/** A file never changes under its ID: the tag is a strong one (RFC 9110, 8.8.1). */
export const entityTag = (file: { id: string; size: number }): string => `"${file.id}-${file.size}"`;

/** Whether the viewer already has the file, by `If-None-Match`. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag);
}

/**
 * Whether a range belongs to the version that the viewer has, by `If-Range`. A date never matches: the gateway sends
 * none.
 */
export const isSameAs = (header: string | undefined, tag: string): boolean =>
  header === undefined || header.trim() === tag;
