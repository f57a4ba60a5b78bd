import { RpcError } from '../../../rpc.ts';
import { botOfToken } from '../../../world/logins/bot-tokens.ts';
import type { OpenMethod } from '../../method.ts';
import { requireApiCredentials } from './api-credentials.ts';
import { completeLogin } from './complete-login.ts';

/** https://core.telegram.org/method/auth.importBotAuthorization */
const importBotAuthorization: OpenMethod = (params, { world, call }) => {
  requireApiCredentials(params);
  const bot = botOfToken(world, params['bot_auth_token'] as string);
  if (!bot) throw new RpcError(400, 'ACCESS_TOKEN_INVALID');
  if (bot.dc !== call.dc) throw new RpcError(303, `USER_MIGRATE_${bot.dc}`);
  return completeLogin(world, call.key, bot);
};

export const botLoginMethods: Record<string, OpenMethod> = {
  'auth.importBotAuthorization': importBotAuthorization,
};
