import type { Socket } from 'node:net';

/**
 * Connections whose request may take longer than the server's limit for requests, as long as something arrives: its body
 * is a file. Node has that limit for all requests alike.
 */
const uploading = new WeakSet<Socket>();

/** @returns ends it */
export function beginUpload(socket: Socket): () => void {
  uploading.add(socket);
  return () => void uploading.delete(socket);
}

export const isUploading = (socket: Socket): boolean => uploading.has(socket);
