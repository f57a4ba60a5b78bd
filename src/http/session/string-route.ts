import { sessionNotConnected } from '../../errors/gateway-error.ts';
import { originOf } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { StringBody } from './schemas.ts';

/** `POST /session/string` (LG2): gives the login away. */
export function stringRoute(app: App, deps: Pick<AppDeps, 'sessions' | 'views' | 'clock'>): void {
  app.post('/session/string', { schema: { body: StringBody } }, async (request) => {
    const { id } = request.view;
    const { format } = request.body;
    const { text, position } = await deps.sessions.exportLogin(id, format, originOf(request));
    await readYourWrites(deps, id, position);
    if (text === undefined) throw sessionNotConnected();
    return { id, format, string: text };
  });
}
