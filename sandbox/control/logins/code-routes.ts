import { Type } from 'typebox';
import { accountOfPhone, validCodes } from '../../world/logins/login-codes.ts';
import type { CodeRow } from '../../world/state/login-rows.ts';
import type { World } from '../../world/world.ts';
import type { ControlApp, ControlDeps } from '../control-app.ts';
import { resolveAccount } from '../resolve-peer.ts';

const Phone = Type.Object({ phone: Type.Optional(Type.String({ maxLength: 30 })) });
const UserId = Type.Object({ userId: Type.String() });

/** Reading the login codes that were sent: to an app, as a text message, in a call, or to an address. */
export function codeRoutes(app: ControlApp, { world }: ControlDeps): void {
  app.get('/codes', { schema: { querystring: Phone } }, async ({ query }) => {
    const phone = query.phone?.replace(/\D/g, '');
    return validCodes(world)
      .filter((row) => phone === undefined || row.phone === phone)
      .map((row) => describeCode(world, row));
  });

  app.get('/accounts/:userId/codes', { schema: { params: UserId } }, async ({ params }) => {
    const user = resolveAccount(world, params.userId);
    const recovery = world.tables.recoveries.get(user.id);
    return [
      ...validCodes(world)
        .filter(({ phone }) => phone === user.phone)
        .map((row) => describeCode(world, row)),
      ...(recovery ? [{ type: 'recovery', code: recovery.code, to: recovery.email, sent: timeOf(recovery.sent) }] : []),
    ];
  });
}

function describeCode(world: World, { type, code, phone, sent }: CodeRow) {
  const email = accountOfPhone(world, phone)?.email ?? '';
  return { type, code, to: type === 'email' ? email : phone, sent: timeOf(sent) };
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
