import type { TimerHandle } from '../../../actors/ports/clock.ts';
import { systemClock } from '../../config/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { makeJpeg } from './image.ts';
import type { MadePicture, PictureTask } from './pictures.ts';

/** A process that converts images one after the other: see `pictures.ts`. It ends with its parent. */

/** Memory is released soon after the last image. */
const idleMs = 60_000;

let idle: TimerHandle | undefined;

process.on('message', (task: PictureTask) => {
  if (idle !== undefined) systemClock.clearTimeout(idle);
  void make(task).then((made) => {
    process.send?.(made);
    idle = systemClock.setTimeout(() => process.disconnect(), idleMs);
  });
});
process.on('disconnect', () => process.exit());
// Signals of a terminal or service manager are for the gateway, which finishes its work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

async function make({ source, target, maxSide, isPhoto }: PictureTask): Promise<MadePicture> {
  try {
    return { size: await makeJpeg(source, target, maxSide, isPhoto) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { refused: error.message, cause: error.cause instanceof Error ? error.cause.message : '' };
  }
}
