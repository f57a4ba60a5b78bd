/**
 * What is unique among live sessions (OS1): a caller's own ID within its tenant.
 * @param tenant undefined: the owner's own sessions
 */
export const externalKey = (externalId: string, tenant?: string): string => JSON.stringify([tenant ?? '', externalId]);
