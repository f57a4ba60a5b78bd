/** A file never changes under its ID: the tag is a strong one (RFC 9110, 8.8.1). */
export const entityTag = (file: { id: string; size: number }): string => `"${file.id}-${file.size}"`;

/** Whether the viewer has the file already, as `If-None-Match` says. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag);
}

/** Whether a range still belongs to what the viewer has, as `If-Range` says. A date never does: we send none. */
export const isSameAs = (header: string | undefined, tag: string): boolean =>
  header === undefined || header.trim() === tag;
