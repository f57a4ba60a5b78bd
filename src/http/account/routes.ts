import { changeAccount, getAccount, listDevices, type OwnAccountDeps, removeDevice } from '../../people/own-account.ts';
import { mediaBodyLimit, sourceOf } from '../message/media-source.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { AccountRequest } from '../shared/connected-account.ts';
import type { LargeBodies } from '../shared/limits/large-bodies.ts';
import { type PeopleServiceDeps, peopleServiceOf } from '../user/people-service-of.ts';
import { AccountBody, DeviceParams } from './schemas.ts';

type Deps = PeopleServiceDeps & Pick<AppDeps, 'media'> & { bodies: LargeBodies };

/** The account itself (PE2), inside the authentication of a connected session. */
export function accountRoutes(app: App, deps: Deps): void {
  const serviceOf = (request: AccountRequest): OwnAccountDeps => ({
    ...peopleServiceOf(request, deps),
    media: deps.media.of({ sessionId: request.view.id, batch: {} }),
  });

  app.get('/account', (request) => getAccount(serviceOf(request)));

  const limits = { bodyLimit: mediaBodyLimit, preParsing: deps.bodies.count };
  app.patch('/account', { ...limits, schema: { body: AccountBody } }, (request) => {
    const { name, about, username, picture } = request.body;
    // Empty counts as missing: no account is without a name.
    const change = { name: name?.trim() || undefined, about, username, picture: picture && sourceOf(picture) };
    return deps.bodies.during(request, () => changeAccount(serviceOf(request), change));
  });

  app.get('/account/devices', async (request) => ({ docs: await listDevices(serviceOf(request)) }));

  app.delete('/account/devices/:id', { schema: { params: DeviceParams } }, async (request) => {
    await removeDevice(serviceOf(request), request.params.id);
    return { id: request.view.id };
  });
}
