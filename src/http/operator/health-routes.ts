import { GatewayError } from '../../errors/gateway-error.ts';
import type { App } from '../shared/app-types.ts';

/** Some monitors ask with HEAD. */
const options = { exposeHeadRoute: true };

/** For whoever runs us: alive as long as it answers; ready when every reason against it is gone. */
export function healthRoutes(app: App, reasonsAgainst: () => readonly string[]): void {
  app.get('/health/live', options, async () => ({ status: 'ok' }));
  app.get('/health/ready', options, async () => {
    const reasons = reasonsAgainst();
    if (reasons.length > 0) throw new GatewayError(503, reasons.join('\n'), 2);
    return { status: 'ok' };
  });
}
