import { IsDateTime } from 'typebox/format';

const iso8601 = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 time in a query; undefined if it is none. Without a zone it is UTC. A plus that was
 * not escaped arrives as a blank, and counts as a plus.
 */
export function readTime(text: string): number | undefined {
  const [, date, minutes = '00:00', seconds = ':00', zone = 'Z'] = iso8601.exec(text.replace(' ', '+')) ?? [];
  const time = `${date}T${minutes}${seconds}${zone}`;
  const ms = Date.parse(time);
  return date === undefined || !IsDateTime(time) || Number.isNaN(ms) ? undefined : ms;
}
