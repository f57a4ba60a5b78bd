import { externalKey } from '../../../actors/session/external-key.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { sessionNotActive, sessionNotFound } from '../../errors/gateway-error.ts';
import { type CustomerLink, maxSessionsOfLink } from '../../links/customer-link.ts';
import { linkNotFound } from '../../links/link-sessions.ts';
import { forbidStoring } from '../access/authenticate-session.ts';
import type { Refuse } from '../access/refusal.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import type { PassToOwner } from '../nodes/pass-to-owner.ts';
import { loginDialogue } from '../session/login-dialogue.ts';
import { CodeBody, PasswordBody, PhoneBody } from '../session/schemas.ts';
import { iso, qrImage } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { CustomerView } from './schemas.ts';

type Deps = Pick<AppDeps, 'links' | 'linkBook' | 'sessions' | 'views' | 'sealer' | 'clock'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The customer's link whose token the caller proved to have; set on the routes of its page. */
    link: CustomerLink;
  }
}

/** `/link/…` (OS5): what the page of a customer's link calls, with the token in the header `link-token`. */
export function customerRoutes(app: App, deps: Deps, refuse: Refuse, passTo: PassToOwner): void {
  const { links, linkBook, sessions } = deps;
  const dialogue = loginDialogue(deps);
  scopeOfGroup(app, 'anyone');
  app.decorateRequest('link');
  app.addHook('onRequest', forbidStoring);
  app.addHook('onRequest', (request, _reply, done) => {
    const token = request.headers['link-token'];
    const link = linkBook.find(typeof token === 'string' ? token : '');
    if (link === undefined) return refuse(request, linkNotFound(), done);
    request.link = link;
    done();
  });
  app.addHook(
    'onRequest',
    passTo(({ link }) => links.sessionOf(link)?.id ?? placeOfNew(link)),
  );

  /** The session whose login goes on; a link that is used up has none. */
  const liveSession = ({ link }: { link: CustomerLink }): string => {
    const view = link.end === undefined ? links.sessionOf(link) : undefined;
    if (view === undefined) throw sessionNotFound();
    const state = sessions.state(view.id);
    if (state === 'loading' || state === 'held') throw sessionNotActive();
    return view.id;
  };
  const shown = (link: CustomerLink): Promise<CustomerView> =>
    customerView(linkBook.get(link.id) ?? link, links.sessionOf(link), deps);

  app.get('/link/session', { config: { answeredBy: 'any' } }, ({ link }) => shown(link));

  app.post('/link/session', async ({ link, id }) => shown(await links.open(link.id, id)));

  app.post('/link/login', { schema: { body: PhoneBody } }, async (request) => {
    await dialogue.sendCode(liveSession(request), request.body.phone);
    return shown(request.link);
  });

  app.post('/link/code', { schema: { body: CodeBody } }, async (request) => {
    await dialogue.submitCode(liveSession(request), request.body.code, origin(request));
    return shown(request.link);
  });

  app.post('/link/password', { schema: { body: PasswordBody } }, async (request) => {
    await dialogue.submitPassword(liveSession(request), request.body.password, origin(request));
    return shown(request.link);
  });
}

/**
 * A link is its owner's as a session is: that of its session, or while it has none that lives, of the partition in which the
 * next one is made.
 */
const placeOfNew = ({ id, externalId, tenant }: CustomerLink): string =>
  externalId === undefined ? id : externalKey(externalId, tenant);

const origin = ({ id }: { id: string }): { author: string; reqId: string } => ({ author: 'link', reqId: id });

async function customerView(
  { end, sessionsMade }: CustomerLink,
  view: SessionView | undefined,
  { sealer }: Pick<Deps, 'sealer'>,
): Promise<CustomerView> {
  const sessionsLeft = maxSessionsOfLink - sessionsMade;
  const nothing = { deadline: '', qrcode: '', codeSentTo: '', sessionsLeft } as const;
  if (end !== undefined) return { state: 'used', ...nothing };
  if (view === undefined || view.state === 'deleted') return { state: 'waiting', ...nothing };
  const isScanned = view.state === 'qrPending';
  return {
    ...nothing,
    state: view.state,
    deadline: view.state === 'disconnected' ? '' : iso(view.deadline),
    ...(isScanned && { qrcode: await qrImage(view, sealer) }),
    ...(view.state === 'codeRequired' && { codeSentTo: view.codeSentTo ?? '' }),
  };
}
