import { addContact, checkPhone, deleteContact, listContacts } from '../../people/people.ts';
import type { App } from '../shared/app-types.ts';
import { type PeopleServiceDeps, peopleServiceOf } from '../user/people-service-of.ts';
import { UserParams } from '../user/schemas.ts';
import { ContactBody, PhoneQuery } from './schemas.ts';

/** The contacts of the account (PE1), inside the authentication of a connected session. */
export function contactRoutes(app: App, deps: PeopleServiceDeps): void {
  app.get('/contact', async (request) => ({ docs: await listContacts(peopleServiceOf(request, deps)) }));

  app.post('/contact', { schema: { body: ContactBody } }, (request) =>
    addContact(peopleServiceOf(request, deps), request.body),
  );

  app.get('/contact/check', { schema: { querystring: PhoneQuery } }, (request) =>
    checkPhone(peopleServiceOf(request, deps), request.query.phone),
  );

  app.delete('/contact/:userId', { schema: { params: UserParams } }, async (request) => {
    await deleteContact(peopleServiceOf(request, deps), request.params.userId);
    return { id: request.view.id };
  });
}
