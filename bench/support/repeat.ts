import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';

/** Does the same work `count` times, up to `inFlight` at a time. @throws the first error; nothing more is begun then */
export function repeat<T>(count: number, inFlight: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return mapConcurrent(
    Array.from({ length: count }, (_value, index) => index),
    inFlight,
    work,
  );
}
