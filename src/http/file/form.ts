import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { stalled, stalledMs } from '../../media/uploads/kept-files.ts';

/**
 * Options of `@fastify/multipart`: one file, whose size `KeptFiles` limits, and a few short fields, which the gateway
 * ignores.
 */
export const formLimits = {
  limits: { files: 1, fields: 20, parts: 21, fieldSize: 1_000, fileSize: Number.POSITIVE_INFINITY },
  throwFileSizeLimit: false,
};

const invalidForm = (): GatewayError => new GatewayError(400, 'body must be a form with one file');
/** Whatever the parser throws, the form is invalid. */
const refuseForm = (): never => {
  throw invalidForm();
};

/**
 * Reads a `multipart/form-data` body to its end. `keep` gets its file, and ends by itself if no bytes arrive; `drop` removes
 * the kept file if the rest of the form is invalid.
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
      const { done, value: part } = await withTimeout(clock, stalledMs, stalled, () => parts.next().catch(refuseForm));
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
