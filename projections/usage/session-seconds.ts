const dayMs = 24 * 60 * 60_000;

/** `2026-11-25`, in UTC. @param at milliseconds since 1970 */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** How many seconds of a time are on a day. @param from, to milliseconds since 1970 */
export function secondsInDay(day: string, from: number, to: number): number {
  const begin = Date.parse(day);
  return Math.max(0, Math.min(to, begin + dayMs) - Math.max(from, begin)) / 1_000;
}

/** The days of a time, each with how many seconds of it. */
export function secondsByDay(from: number, to: number): [day: string, seconds: number][] {
  const days: [string, number][] = [];
  for (let at = Math.floor(from / dayMs) * dayMs; at < to; at += dayMs) {
    const day = dayOf(at);
    days.push([day, secondsInDay(day, from, to)]);
  }
  return days;
}
