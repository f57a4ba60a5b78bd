import type { FastifyReply } from 'fastify';
import { type DayAllowance, DayLimitError } from '../../../keys/limits/day-counter.ts';

/** The policy's name in both headers. */
const policy = '"sends-per-day"';
const daySeconds = 24 * 60 * 60;

/**
 * Says in the response what the key's limit leaves (KY3.6), if it has one; in a refusal too. The headers are those of the IETF's
 * draft "RateLimit header fields for HTTP": `q` the quota of the window `w`, `r` what remains, `t` the seconds until it is whole again.
 */
export async function tellAllowance(reply: FastifyReply, taken: Promise<DayAllowance | undefined>): Promise<void> {
  const tell = ({ limit, left, resetSeconds }: DayAllowance): void =>
    void reply.headers({
      'ratelimit-policy': `${policy};q=${limit};w=${daySeconds}`,
      ratelimit: `${policy};r=${left};t=${resetSeconds}`,
    });
  try {
    const allowance = await taken;
    if (allowance !== undefined) tell(allowance);
  } catch (error) {
    if (error instanceof DayLimitError) tell(error.allowance);
    throw error;
  }
}
