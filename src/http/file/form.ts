import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../actors/ports/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** As long as an upload may stall (MX1.13). */
const stalledMs = 30_000;

/** For `@fastify/multipart`: one file, as long as it likes, and some short fields, which nobody reads. */
export const formLimits = {
  limits: { files: 1, fields: 20, parts: 21, fieldSize: 1_000, fileSize: Number.POSITIVE_INFINITY },
  throwFileSizeLimit: false,
};

const invalidForm = (): GatewayError => new GatewayError(400, 'body must be a form with one file');

/**
 * Reads a `multipart/form-data` body to its end. `keep` gets its file, and has a watch of its own on the bytes; `drop` takes
 * back what was kept of a form that turns out to be invalid.
 * @throws {GatewayError} 400 the form is invalid or has no file, 408 the rest of it does not come
 * @throws what `keep` throws
 */
export async function keepFromForm<T>(
  request: FastifyRequest,
  clock: Clock,
  { keep, drop }: { keep: (file: MultipartFile) => Promise<T>; drop: (kept: T) => Promise<void> },
): Promise<T> {
  const parts = request.parts();
  let kept: { file: T } | undefined;
  try {
    for (;;) {
      const { done, value: part } = await inTime(clock, parts.next());
      if (done) break;
      if (part.type === 'file') kept = { file: await keepWhole(part, keep) };
    }
  } catch (error) {
    if (kept) await drop(kept.file);
    throw error;
  }
  if (!kept) throw new GatewayError(400, 'file should not be empty');
  return kept.file;
}

async function keepWhole<T>(part: MultipartFile, keep: (file: MultipartFile) => Promise<T>): Promise<T> {
  try {
    return await keep(part);
  } catch (error) {
    // The parser destroys a file inside of which its form ends.
    throw part.file.destroyed && !part.file.readableEnded ? invalidForm() : error;
  }
}

/** The next part; whatever the parser throws, the form is invalid. */
function inTime<T>(clock: Clock, next: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new GatewayError(408, 'request timeout')), stalledMs);
    const settle = next.then(resolve, () => reject(invalidForm()));
    void settle.finally(() => clock.clearTimeout(timer));
  });
}
