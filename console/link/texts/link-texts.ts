/** Every sentence of the customer's page. A language that lacks one does not compile. */
export interface LinkTexts {
  title: string;
  /** What the page is for. */
  intro: string;
  start: string;
  startAgain: string;
  /** How the QR code is scanned, step by step. */
  scanSteps: readonly [string, string, string];
  preparing: string;
  qrAlt: string;
  /** Followed by the time left. */
  timeLeft: string;
  timeIsOver: string;
  orByCode: string;
  phone: string;
  sendCode: string;
  /** By the way in which Telegram sent the code. */
  codeSent: Readonly<Record<'app' | 'sms' | 'call' | 'email' | 'fragment', string>>;
  code: string;
  password: string;
  passwordNote: string;
  logIn: string;
  connected: string;
  connectedNote: string;
  /** The connection was lost, and the gateway tries again. */
  reconnecting: string;
  used: string;
  notFound: string;
  usedUp: string;
  offline: string;
  /** What the gateway refuses, by its message. */
  errors: Readonly<
    Record<'invalid code' | 'code expired' | 'invalid password' | 'no more codes can be asked for', string>
  >;
  /** Any other refusal; the gateway's message follows. */
  failed: string;
}
