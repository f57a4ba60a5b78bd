import { addContact, checkPhone, deleteContact, listContacts } from '../../people/people.ts';
import type { App } from '../shared/app-types.ts';
import { type PeopleServiceDeps, peopleServiceOf } from '../user/people-service-of.ts';
import { UserParams } from '../user/schemas.ts';
import { ContactBody, PhoneQuery } from './schemas.ts';

/** The contacts of the account (PE1), inside the authentication of a connected session. */
export function contactRoutes(app: App, deps: PeopleServiceDeps): void {
  app.get('/contact', async ({ view }) => ({ docs: await listContacts(peopleServiceOf(view.id, deps)) }));

  app.post('/contact', { schema: { body: ContactBody } }, ({ view, body: { phone, name } }) =>
    addContact(peopleServiceOf(view.id, deps), { phone, name }),
  );

  app.get('/contact/check', { schema: { querystring: PhoneQuery } }, ({ view, query }) =>
    checkPhone(peopleServiceOf(view.id, deps), query.phone),
  );

  app.delete('/contact/:userId', { schema: { params: UserParams } }, async ({ view: { id }, params }) => {
    await deleteContact(peopleServiceOf(id, deps), params.userId);
    return { id };
  });
}
