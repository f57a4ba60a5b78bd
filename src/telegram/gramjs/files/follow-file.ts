import { TelegramError } from '../../port/errors.ts';

/** A file that has moved may have moved again. */
const maxHops = 3;

/** The data centre in which a file is, if Telegram says that it is not where it was asked for. */
export function fileMovedTo(error: unknown): number | undefined {
  const dc = error instanceof TelegramError ? /^FILE_MIGRATE_(\d+)$/.exec(error.errorName)?.[1] : undefined;
  return dc === undefined ? undefined : Number(dc);
}

/** Asks for a file in a data centre, and in those that Telegram names instead. @throws what `ask` throws */
export async function followFile<T>(dc: number, ask: (dc: number) => Promise<T>): Promise<T> {
  let where = dc;
  for (let hops = 1; ; hops++) {
    try {
      return await ask(where);
    } catch (error) {
      const next = fileMovedTo(error);
      if (next === undefined || hops > maxHops) throw error;
      where = next;
    }
  }
}
