import { GatewayError } from '../../errors/gateway-error.ts';
import type { App } from '../shared/app-types.ts';

/** Some monitors ask with HEAD. */
const options = { exposeHeadRoute: true, config: { scope: 'anyone' } } as const;

/** For monitoring: alive while it answers, ready when no reason against it is left. */
export function healthRoutes(
  app: App,
  reasonsAgainst: () => readonly string[],
  warnings: () => readonly string[],
): void {
  app.get('/health/live', options, async () => ({ status: 'ok' }));
  app.get('/health/ready', options, async () => {
    const reasons = reasonsAgainst();
    if (reasons.length > 0) throw new GatewayError(503, reasons.join('\n'), 2);
    const found = warnings();
    return { status: 'ok', ...(found.length > 0 && { warnings: found }) };
  });
}
