/** Measures what happens to leases. All times are in milliseconds. */
export interface ClusterMeter {
  /** A lease was renewed: how long the append took. */
  renewed(ms: number): void;
  /**
   * A partition is served by this process.
   * @param from `released`: it was free; `expired`: its holder was silent for a life
   * @param ms since it was released, or since this process learned of its last renewal
   */
  tookOver(from: 'released' | 'expired', ms: number): void;
  /** A lease was lost: it ran out, or another node has it. */
  lost(): void;
}
