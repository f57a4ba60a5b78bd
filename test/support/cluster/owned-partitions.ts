const maxWaitMs = 2_000;

/**
 * How many partitions a gateway owns, by its metrics; 0 if it does not answer, or is no node.
 * @param apiKey the `API_KEY` of the gateway, if it has one
 */
export async function ownedPartitions(url: string, apiKey?: string): Promise<number> {
  try {
    const headers = new Headers(apiKey === undefined ? {} : { 'x-api-key': apiKey });
    const response = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(maxWaitMs) });
    const text = await response.text();
    return Number(/^gateway_owned_partitions (\d+)$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
