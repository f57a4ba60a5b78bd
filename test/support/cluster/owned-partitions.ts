const maxWaitMs = 2_000;

/** How many partitions a gateway owns, by its metrics; 0 if it does not answer, or is no node. */
export async function ownedPartitions(url: string): Promise<number> {
  try {
    const text = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(maxWaitMs) })).text();
    return Number(/^gateway_owned_partitions (\d+)$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
