/**
 * The `random_id` of each message of one send: the first has the send's own, the others the numbers after it, as signed
 * 64-bit numbers. A repeated send has the same.
 */
export const randomIdsFrom = (randomId: bigint, count: number): bigint[] =>
  Array.from({ length: count }, (_, index) => BigInt.asIntN(64, randomId + BigInt(index)));
