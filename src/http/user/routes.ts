import { blockUser, getUser } from '../../people/people.ts';
import type { App } from '../shared/app-types.ts';
import { type PeopleServiceDeps, peopleServiceOf } from './people-service-of.ts';
import { UserParams } from './schemas.ts';

/** One person (PE1), inside the authentication of a connected session. */
export function userRoutes(app: App, deps: PeopleServiceDeps): void {
  app.get('/user/:userId', { schema: { params: UserParams } }, ({ view, params }) =>
    getUser(peopleServiceOf(view.id, deps), params.userId),
  );

  app.post('/user/:userId/block', { schema: { params: UserParams } }, async ({ view: { id }, params }) => {
    await blockUser(peopleServiceOf(id, deps), params.userId, true);
    return { id };
  });

  app.delete('/user/:userId/block', { schema: { params: UserParams } }, async ({ view: { id }, params }) => {
    await blockUser(peopleServiceOf(id, deps), params.userId, false);
    return { id };
  });
}
