/** The actor was stopped, or fenced by another writer. A retry may find it restored. */
export class ActorStoppedError extends Error {
  override name = 'ActorStoppedError';
}
