import { Type } from 'typebox';

/** A number of things. */
export const countOfThings = (description: string) => Type.Integer({ minimum: 0, description });

/** What came of sends, as the stats and the usage of sessions have it. */
export const sendCounts = Type.Object(
  {
    ok: countOfThings('Messages and stories that Telegram has.'),
    failed: countOfThings('Those that could not be sent.'),
  },
  { additionalProperties: false },
);

/** What came of deliveries. */
export const deliveryCounts = Type.Object(
  {
    ok: countOfThings('Events that webhooks took.'),
    failed: countOfThings('Attempts that failed.'),
    parked: countOfThings('Deliveries that were given up.'),
  },
  { additionalProperties: false },
);
