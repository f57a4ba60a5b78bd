import { proxyAddress } from '../../telegram/port/proxy-url.ts';
import { originOf } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { ProxyBody, type ProxyResponse } from './session-proxy.ts';

/** `PUT /session/proxy` (LG3): tries the proxy, and has the session use it. */
export function proxyRoute(app: App, deps: Pick<AppDeps, 'sessions' | 'views' | 'clock'>): void {
  app.put('/session/proxy', { schema: { body: ProxyBody } }, async (request): Promise<ProxyResponse> => {
    const { id } = request.view;
    const { url } = request.body;
    const { position } = await deps.sessions.setProxy(id, url === '' ? null : url, originOf(request));
    await readYourWrites(deps, id, position);
    return { id, proxy: { url: proxyAddress(url) } };
  });
}
