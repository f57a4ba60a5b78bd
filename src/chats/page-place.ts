import { GatewayError } from '../errors/gateway-error.ts';

/** Telegram's numbers are signed 32-bit ones. */
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;

/** Where a page ended, as the caller gives it back for the next one: opaque. */
export const writePlace = (numbers: readonly number[], chatId: string): string =>
  Buffer.from(JSON.stringify([...numbers, chatId])).toString('base64url');

/**
 * @param field its name in the request
 * @param count of numbers in it
 * @throws {GatewayError} 400: it was not given out
 */
export function readPlace(field: string, text: string, count: number): { numbers: number[]; chatId: string } {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const [chatId] = parts.splice(count);
    if (parts.length === count && parts.every(isCount) && typeof chatId === 'string') {
      return { numbers: parts, chatId };
    }
  } catch {
    // It is no place, as any other text that was not given out.
  }
  throw new GatewayError(400, `${field} must be that of a page`);
}
