import type {
  CreateTelegramSession,
  ReportTelegramFact,
  TelegramFact,
  TelegramSession,
} from '../../../actors/ports/telegram-session.ts';
import { linkFact } from '../actors/scripted-link.ts';

type Mode = 'idle' | 'qr' | 'password' | 'connected' | 'cut' | 'loggedOut';

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
}

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
      startQrLogin: (login) => {
        told('startQrLogin', login);
        link.login = login;
        this.happen(link, 'qr', 'QrIssued');
      },
      awaitPassword: (login) => {
        told('awaitPassword', login);
        link.login = login;
        link.mode = 'password';
      },
      connect: (login) => {
        told('connect', login);
        if (link.login === login && link.mode === 'cut') return;
        link.login = login;
        this.happen(link, 'connected', 'ConnectionRestored');
      },
      submitPassword: (login) => this.#submitPassword(link, login),
      logOut: () => {
        told('logOut', link.login);
        link.mode = 'loggedOut';
      },
      close: async () => {
        link.closed = true;
        for (const answer of link.passwords.splice(0)) answer(new Error('not connected'));
        if (link.mode !== 'loggedOut' || !this.#answersLogOut(sessionId)) return;
        await link.report({ type: 'LoggedOut' });
      },
    };
    return link;
  }

  async #submitPassword(link: SimulatedLink, login: number): Promise<'accepted' | 'rejected'> {
    const outcome = await new Promise<'accepted' | 'rejected' | Error>((resolve) => {
      link.passwords.push(resolve);
    });
    if (outcome instanceof Error) throw outcome;
    if (outcome === 'accepted') {
      link.mode = 'connected';
      await link.report(linkFact('LoggedIn', login));
    }
    return outcome;
  }
}
