import { expect, it } from 'vitest';
import { likeliest } from '../../../../../src/telegram/gramjs/sending/find-by-content.ts';

/** Telegram's clock, whole seconds, is 100 s ahead of the gateway's. */
const aheadSeconds = 100;
const toGatewayTime = (seconds: number): number => (seconds - aheadSeconds) * 1000;
const dated = (...dates: number[]): { date: number }[] => dates.map((date) => ({ date }));
const chosen = (begunAt: number, ...dates: number[]): number | undefined =>
  likeliest({ toGatewayTime }, begunAt, dated(...dates))?.date;

it.each<[string, number, number[], number | undefined]>([
  ['nothing is alike', 5_000, [], undefined],
  ['one came when it was begun', 5_000, [105], 105],
  ['the second had begun already, by its fraction', 5_999, [105], 105],
  ['more came later', 5_000, [105, 107, 109], 105],
  ['others came before', 5_000, [101, 102, 105, 107], 105],
  ['it had to wait', 5_000, [101, 150], 150],
  ['a clock was set: all lie before, the last is the nearest', 500_000, [101, 105], 105],
])('[MS7.3] which message a send became: %s', (_, begunAt, dates, wanted) => {
  expect(chosen(begunAt, ...dates)).toBe(wanted);
});
