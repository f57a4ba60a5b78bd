/** How a login code is sent: https://core.telegram.org/type/auth.SentCodeType */
export type CodeType = 'app' | 'sms' | 'call' | 'email';

/** A login code: https://core.telegram.org/api/auth */
export interface CodeRow {
  /** `phone_code_hash` */
  hash: string;
  keyId: string;
  /** Digits only. Nobody may have the number yet. */
  phone: string;
  code: string;
  type: CodeType;
  sent: number;
  /** Wrong codes that were given. */
  mistakes: number;
  /** The right code was given, and nobody has the number: `auth.signUp` may follow. */
  proven?: boolean;
}

/** The code with which a user may recover the account without the password. */
export interface RecoveryRow {
  userId: number;
  email: string;
  code: string;
  sent: number;
}

/** `future_auth_token`: a client that has logged out may log in again without a code. */
export interface LogoutTokenRow {
  /** Hex. */
  token: string;
  userId: number;
}
