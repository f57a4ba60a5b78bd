import { changeAccount, getAccount, listDevices, type OwnAccountDeps, removeDevice } from '../../people/own-account.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type PeopleServiceDeps, peopleServiceOf } from '../user/people-service-of.ts';
import { AccountBody, DeviceParams } from './schemas.ts';

type Deps = PeopleServiceDeps & Pick<AppDeps, 'media'>;

/** The account itself (PE2), inside the authentication of a connected session. */
export function accountRoutes(app: App, deps: Deps): void {
  const serviceOf = (sessionId: string): OwnAccountDeps => ({
    ...peopleServiceOf(sessionId, deps),
    media: deps.media.of({ sessionId, batch: {} }),
  });

  app.get('/account', ({ view }) => getAccount(serviceOf(view.id)));

  app.patch('/account', { schema: { body: AccountBody } }, ({ view, body }) => {
    const { name, about, username, picture } = body;
    // Empty counts as missing: no account is without a name.
    return changeAccount(serviceOf(view.id), { name: name?.trim() || undefined, about, username, picture });
  });

  app.get('/account/devices', async ({ view }) => ({ docs: await listDevices(serviceOf(view.id)) }));

  app.delete('/account/devices/:id', { schema: { params: DeviceParams } }, async ({ view, params }) => {
    await removeDevice(serviceOf(view.id), params.id);
    return { id: view.id };
  });
}
