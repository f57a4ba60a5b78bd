import type {
  CodeOutcome,
  CreateTelegramSession,
  ReportTelegramFact,
  TelegramFact,
  TelegramSession,
} from '../../../actors/ports/telegram-session.ts';
import { linkFact } from '../actors/scripted-link.ts';

type Mode = 'idle' | 'qr' | 'code' | 'password' | 'connected' | 'cut' | 'dead' | 'loggedOut';

/** Something on its way from Telegram to the session's link. */
interface Post {
  link: SimulatedLink;
  fact: TelegramFact;
}

/** One link, and the login behind it. It answers when the simulation lets it. */
export interface SimulatedLink extends TelegramSession {
  readonly sessionId: string;
  mode: Mode;
  login: number;
  closed: boolean;
  report: ReportTelegramFact;
  /** Passwords that Telegram has not answered yet. */
  passwords: ((outcome: 'accepted' | 'rejected' | Error) => void)[];
  /** First logins, requests for codes and codes that Telegram has not answered yet. */
  firstLogins: ((outcome: 'CodeSent' | 'LoggedIn' | Error) => void)[];
  codeRequests: ((outcome: 'sent' | 'accepted' | Error) => void)[];
  codes: ((outcome: CodeOutcome | Error) => void)[];
}

export const notConnected = (): Error => new Error('not connected');

export interface TelegramOptions {
  /** Called with every instruction, before it takes effect. */
  onTold: (sessionId: string, instruction: string, login: number) => void;
  /** Whether Telegram answers the log-out. */
  answersLogOut: (sessionId: string) => boolean;
}

/** Telegram and the phones as one process sees them: with the process, all of it is gone. */
export class SimulatedTelegram {
  readonly links: SimulatedLink[] = [];
  readonly posts: Post[] = [];
  readonly #onTold: TelegramOptions['onTold'];
  readonly #answersLogOut: TelegramOptions['answersLogOut'];

  constructor({ onTold, answersLogOut }: TelegramOptions) {
    this.#onTold = onTold;
    this.#answersLogOut = answersLogOut;
  }

  readonly create: CreateTelegramSession = (sessionId, report) => {
    const link = this.#createTelegramSession(sessionId, report);
    this.links.push(link);
    return link;
  };

  /** The open links, in one of these modes if any are named. */
  open(...modes: Mode[]): SimulatedLink[] {
    return this.links.filter(({ closed, mode }) => !closed && (modes.length === 0 || modes.includes(mode)));
  }

  /** Something happens at Telegram: the link is in another mode, and its fact is on the way. */
  happen(link: SimulatedLink, mode: Mode, type: TelegramFact['type']): void {
    link.mode = mode;
    this.posts.push({ link, fact: linkFact(type, link.login) });
  }

  /** A fact arrives. It may stay in the post as well, to arrive once more. */
  deliver(at: number, again: boolean): void {
    const post = this.posts[at];
    if (post === undefined) return;
    if (!again) this.posts.splice(at, 1);
    void post.link.report(post.fact);
  }

  #createTelegramSession(sessionId: string, report: ReportTelegramFact): SimulatedLink {
    const told = (instruction: string, login: number): void => this.#onTold(sessionId, instruction, login);
    const link: SimulatedLink = {
      sessionId,
      report,
      mode: 'idle',
      login: 0,
      closed: false,
      passwords: [],
      firstLogins: [],
      codeRequests: [],
      codes: [],
      tryProxy: () => Promise.resolve(),
      useProxy: () => told('useProxy', link.login),
      startQrLogin: (login) => {
        told('startQrLogin', login);
        link.login = login;
        this.happen(link, 'qr', 'QrIssued');
      },
      awaitCode: (login) => {
        told('awaitCode', login);
        link.login = login;
        if (link.mode !== 'connected' && link.mode !== 'password') link.mode = 'code';
      },
      logIn: (login, request) => this.#logIn(link, login, 'string' in request),
      sendCode: (login) => this.#sendCode(link, login),
      submitCode: (login) => this.#submitCode(link, login),
      awaitPassword: (login) => {
        told('awaitPassword', login);
        link.login = login;
        link.mode = 'password';
      },
      connect: (login) => {
        told('connect', login);
        if (link.login === login && (link.mode === 'cut' || link.mode === 'dead')) return;
        link.login = login;
        this.happen(link, 'connected', 'ConnectionRestored');
      },
      submitPassword: (login) => this.#submitPassword(link, login),
      exportLogin: (login) => {
        const isOpen = link.login === login && (link.mode === 'connected' || link.mode === 'cut');
        return isOpen ? Promise.resolve('marker') : Promise.reject(new Error('not connected'));
      },
      keepLogin: (login) => told('keepLogin', login),
      loginKept: () => Promise.resolve(),
      dropLogin: () => {
        told('dropLogin', link.login);
        link.mode = 'idle';
      },
      loginDropped: () => Promise.resolve(),
      logOut: () => {
        told('logOut', link.login);
        link.mode = 'loggedOut';
      },
      giveUpLogOuts: () => told('giveUpLogOuts', link.login),
      close: async () => {
        link.closed = true;
        const { passwords, firstLogins, codeRequests, codes } = link;
        for (const answers of [passwords, firstLogins, codeRequests, codes]) {
          for (const answer of answers.splice(0)) answer(notConnected());
        }
        if (link.mode !== 'loggedOut' || !this.#answersLogOut(sessionId)) return;
        await link.report({ type: 'LoggedOut' });
      },
    };
    return link;
  }

  async #logIn(link: SimulatedLink, login: number, isImport: boolean): Promise<TelegramFact> {
    const answer = await answerOf(link.firstLogins);
    const type = isImport ? 'LoginImported' : answer;
    link.login = login;
    link.mode = type === 'CodeSent' ? 'code' : 'connected';
    return linkFact(type, login);
  }

  async #sendCode(link: SimulatedLink, login: number): Promise<'sent' | 'accepted'> {
    const outcome = await answerOf(link.codeRequests);
    if (link.mode !== 'qr' && link.mode !== 'code') throw notConnected();
    link.mode = outcome === 'sent' ? 'code' : 'connected';
    await link.report(linkFact(outcome === 'sent' ? 'CodeSent' : 'LoggedIn', login));
    return outcome;
  }

  async #submitCode(link: SimulatedLink, login: number): Promise<CodeOutcome> {
    const outcome = await answerOf(link.codes);
    if (outcome === 'rejected') return outcome;
    if (outcome === 'accepted') link.mode = 'connected';
    const facts = { accepted: 'LoggedIn', renewed: 'CodeSent', 'used-up': 'CodesUsedUp' } as const;
    await link.report(linkFact(facts[outcome], login));
    return outcome;
  }

  async #submitPassword(link: SimulatedLink, login: number): Promise<'accepted' | 'rejected'> {
    const outcome = await answerOf(link.passwords);
    if (outcome === 'accepted') {
      link.mode = 'connected';
      await link.report(linkFact('LoggedIn', login));
    }
    return outcome;
  }
}

/** What the simulation answers. @throws what it answers with */
async function answerOf<T>(waiting: ((outcome: T | Error) => void)[]): Promise<T> {
  const outcome = await new Promise<T | Error>((resolve) => void waiting.push(resolve));
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
