import type { InjectOptions } from 'fastify';
import { type AppOptions, buildApp } from '../../../src/http/app.ts';
import type { App } from '../../../src/http/shared/app-types.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import { linkFact } from '../actors/scripted-link.ts';
import { type AppWorld, openAppWorld, type SharedWorld } from './app-world.ts';
import { DocumentedAnswers } from './documented-answers.ts';

export interface TestApp extends Omit<AppWorld, 'options'> {
  app: App;
  /** `statusCode` and the parsed body. @throws where the answer is not as the API document has it */
  call(method: InjectOptions['method'], url: string, options?: CallOptions): Promise<Called>;
  /** Creates a session; its headers. */
  session(body?: object): Promise<SessionHeaders>;
  /** The session's link reports the login of Ada, and it is recorded. */
  connect(headers: SessionHeaders, account?: Partial<TelegramAccount>): Promise<void>;
}

/** Made of the first app's document: they all have the same. */
let documented: DocumentedAnswers | undefined;

interface CallOptions {
  headers?: Record<string, string>;
  /** Sent as JSON; a string as it is. */
  body?: unknown;
}

interface Called {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
}

export type SessionHeaders = { id: string; 'session-id': string };

/** HTTP over real sessions and real views; only Telegram is played by the test. */
export async function startTestApp(options: Partial<AppOptions> = {}, shared: SharedWorld = {}): Promise<TestApp> {
  const { options: appOptions, ...world } = await openAppWorld(shared);
  const app = await buildApp({ ...appOptions, ...options });

  const call: TestApp['call'] = async (method, url, { headers = {}, body } = {}) => {
    const response = await app.inject({
      ...(method === undefined ? {} : { method }),
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    documented ??= new DocumentedAnswers(app.swagger());
    const problem = documented.problemOf(String(method), url, {
      status: response.statusCode,
      headers: (name) => response.headers[name],
      body: response.json(),
    });
    if (problem !== undefined) throw new Error(problem);
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };
  return {
    ...world,
    app,
    call,
    session: async (body) => {
      const created = await call('POST', '/session', body === undefined ? {} : { body });
      return { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
    },
    connect: async ({ id }, account = {}) => {
      await world.links.of(id).report(linkFact('LoggedIn', 1));
      world.accounts.set(id, account as TelegramAccount);
      await world.clock.settle();
    },
    close: async () => {
      await app.close();
      await world.close();
    },
  };
}
