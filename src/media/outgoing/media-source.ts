/**
 * Where the bytes of a media object come from (MX1.10): a server that the caller names, the request itself (base64), or
 * a file of `POST /file` by its ID.
 */
export type MediaSource = { url: string } | { data: string } | { file: string };

/** A file of `POST /file`; `size` in bytes. */
interface UploadedFile {
  size: number;
  name: string;
}

/** The files of `POST /file`. */
export interface Uploads {
  /** Undefined if the session has no such file, or not any more. */
  find(sessionId: string, id: string): UploadedFile | undefined;
  /** Makes a file appear at `target` too, on the same disk; it stays there when it expires. @throws {GatewayError} 400 */
  link(sessionId: string, id: string, target: string): Promise<UploadedFile>;
}
