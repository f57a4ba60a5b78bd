/** What the URL of a file says about it. */

const mimetypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  txt: 'text/plain',
  zip: 'application/zip',
};
/** The media type that the end of a URL or a file's name suggests; empty if it says nothing. */
export const mimetypeIn = (url: string): string => mimetypes[extensionIn(url)] ?? '';

/** The last part of a URL's path; empty if there is none. */
export function nameIn(url: string): string {
  const last = pathOf(url).split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const extensionIn = (url: string): string => /\.(\w+)$/.exec(pathOf(url))?.[1]?.toLowerCase() ?? '';
const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');
