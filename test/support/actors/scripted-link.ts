import type {
  CreateTelegramSession,
  ReadProxy,
  ReportTelegramFact,
  TelegramFact,
  TelegramSession,
} from '../../../actors/ports/telegram-session.ts';

/** A link that does nothing by itself: it notes what it was told, and reports what the test says. */
interface ScriptedLink extends TelegramSession {
  readonly sessionId: string;
  /** `connect 1`, `logOut`, `close`, … in the order given. */
  readonly told: string[];
  report: ReportTelegramFact;
  /** What the next password comes to. Default: `rejected`. */
  password: (login: number, password: string) => Promise<'accepted' | 'rejected'>;
  /** What a first login comes to. Default: a code was sent, or a session string is accepted. */
  firstLogin: TelegramSession['logIn'];
  /** What the next code that is asked for comes to. Default: `sent`. */
  codeRequest: TelegramSession['sendCode'];
  /** What the next code comes to. Default: `rejected`. */
  code: TelegramSession['submitCode'];
  /** What a caller who has the login kept waits for. */
  keeping: Promise<void>;
  /** What a caller who has the login dropped waits for. */
  dropping: Promise<void>;
  /** What closing waits for. */
  closing: Promise<void>;
  /** What trying a proxy comes to. Default: it works. */
  proxyTrial: (url: string) => Promise<void>;
  /** The proxy of the session, as the connections read it. */
  readProxy: ReadProxy;
}

export interface ScriptedLinks {
  create: CreateTelegramSession;
  /** What every link does while it closes. Default: nothing. */
  whileClosing: (link: ScriptedLink) => Promise<void>;
  /** What trying a proxy comes to on new links. Default: it works. */
  proxyTrial: (url: string) => Promise<void>;
  /** In order of creation. */
  readonly all: ScriptedLink[];
  /** The newest link of the session. */
  of(sessionId: string): ScriptedLink;
}

export function createScriptedLinks(): ScriptedLinks {
  const all: ScriptedLink[] = [];
  const links: ScriptedLinks = {
    all,
    whileClosing: () => Promise.resolve(),
    proxyTrial: () => Promise.resolve(),
    create(sessionId, report, readProxy = async () => '') {
      const link = createTelegramSession(sessionId, report, readProxy, () => links.whileClosing(link));
      link.proxyTrial = links.proxyTrial;
      all.push(link);
      return link;
    },
    of(sessionId) {
      const link = all.findLast((candidate) => candidate.sessionId === sessionId);
      if (link === undefined) throw new Error(`no link was made for ${sessionId}`);
      return link;
    },
  };
  return links;
}

function createTelegramSession(
  sessionId: string,
  report: ReportTelegramFact,
  readProxy: ReadProxy,
  whileClosing: () => Promise<void>,
): ScriptedLink {
  const told: string[] = [];
  const link: ScriptedLink = {
    sessionId,
    told,
    report,
    firstLogin: (login, request) =>
      Promise.resolve(linkFact('string' in request ? 'LoginImported' : 'CodeSent', login)),
    codeRequest: () => Promise.resolve('sent'),
    code: () => Promise.resolve('rejected'),
    password: () => Promise.resolve('rejected'),
    closing: Promise.resolve(),
    keeping: Promise.resolve(),
    dropping: Promise.resolve(),
    proxyTrial: () => Promise.resolve(),
    readProxy,
    tryProxy: (url) => link.proxyTrial(url),
    useProxy: () => void told.push('useProxy'),
    startQrLogin: (login) => void told.push(`startQrLogin ${login}`),
    awaitPassword: (login) => void told.push(`awaitPassword ${login}`),
    connect: (login) => void told.push(`connect ${login}`),
    awaitCode: (login) => void told.push(`awaitCode ${login}`),
    logIn: (login, request) => link.firstLogin(login, request),
    sendCode: (login, phone) => link.codeRequest(login, phone),
    submitCode: (login, code) => link.code(login, code),
    submitPassword: (login, password) => link.password(login, password),
    exportLogin: async (login, format) => `the string of ${login} for ${format}`,
    keepLogin: (login) => void told.push(`keepLogin ${login}`),
    loginKept: () => link.keeping,
    dropLogin: () => void told.push('dropLogin'),
    loginDropped: () => link.dropping,
    logOut: () => void told.push('logOut'),
    giveUpLogOuts: () => void told.push('giveUpLogOuts'),
    async close() {
      told.push('close');
      await link.closing;
      await whileClosing();
    },
  };
  return link;
}

/** A fact of each kind that a link can report, about a login attempt. */
export function linkFact(type: TelegramFact['type'], login: number): TelegramFact {
  const account = { id: '1001', name: 'Ada Lovelace', username: 'ada', phone: '4915100000001' };
  switch (type) {
    case 'QrIssued':
      return { type, login, link: 'tg://login?token=marker', expires: 30_000 };
    case 'CodeSent':
      return { type, login, to: 'sms', number: 1, phone: '4915100000001' };
    case 'CodesUsedUp':
      return { type, login };
    case 'PasswordRequested':
      return { type, login, hint: 'first pet' };
    case 'LoggedIn':
    case 'AccountChanged':
      return { type, login, account, picture: 'data:image/jpeg;base64,AA==' };
    case 'LoginImported':
      return { type, login, format: 'telethon', account, picture: 'data:image/jpeg;base64,AA==' };
    case 'ConnectionLost':
      return { type, login, reason: 'unreachable' };
    case 'ProxyFailed':
      return { type, login, reason: 'proxy-refused' };
    case 'ConnectionRestored':
      return { type, login };
    case 'LoginLost':
      return { type, login, reason: 'SESSION_REVOKED' };
    case 'BotLoginLost':
      return { type, login, reason: 'SESSION_REVOKED' };
    case 'LoginRefused':
      return { type, login, reason: 'API_ID_INVALID' };
    case 'AccountFrozen':
      return { type, login, reason: 'FROZEN_METHOD_INVALID' };
    case 'UpdatesLost':
      return { type, login, reason: 'too-many' };
    case 'LoggedOut':
      return { type };
  }
}
