/** Lines of JSON on standard output. They hold IDs and reasons, never a text, a name or a secret. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

export const log: Log = (level, message, facts = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...facts })}\n`);
};
