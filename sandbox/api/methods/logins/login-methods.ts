import type { Method, OpenMethod } from '../../method.ts';
import { authorizationMethods, authorizationOpenMethods } from './authorizations.ts';
import { botLoginMethods } from './bot-logins.ts';
import { loginCodeMethods } from './login-codes.ts';
import { loginTokenMethods, loginTokenOpenMethods } from './login-tokens.ts';
import { passwordOpenMethods } from './password.ts';
import { passwordRecoveryMethods } from './password-recovery.ts';

/** Logging in and out, in every way. */
export const loginOpenMethods: Record<string, OpenMethod> = {
  ...authorizationOpenMethods,
  ...botLoginMethods,
  ...loginCodeMethods,
  ...loginTokenOpenMethods,
  ...passwordOpenMethods,
  ...passwordRecoveryMethods,
};
export const loginMethods: Record<string, Method> = { ...authorizationMethods, ...loginTokenMethods };
