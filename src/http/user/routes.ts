import { blockUser, getUser } from '../../people/people.ts';
import type { App } from '../shared/app-types.ts';
import { type PeopleServiceDeps, peopleServiceOf } from './people-service-of.ts';
import { UserParams } from './schemas.ts';

/** One person (PE1), inside the authentication of a connected session. */
export function userRoutes(app: App, deps: PeopleServiceDeps): void {
  app.get('/user/:userId', { schema: { params: UserParams } }, (request) =>
    getUser(peopleServiceOf(request, deps), request.params.userId),
  );

  app.post('/user/:userId/block', { schema: { params: UserParams } }, async (request) => {
    await blockUser(peopleServiceOf(request, deps), request.params.userId, true);
    return { id: request.view.id };
  });

  app.delete('/user/:userId/block', { schema: { params: UserParams } }, async (request) => {
    await blockUser(peopleServiceOf(request, deps), request.params.userId, false);
    return { id: request.view.id };
  });
}
