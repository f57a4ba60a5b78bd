import { Type } from 'typebox';
import { pushStatus } from '../api/push/push-status.ts';
import { addAccount } from '../world/add-account.ts';
import { sandboxApiHash, sandboxApiId } from '../world/logins/api-credentials.ts';
import { botToken } from '../world/logins/bot-tokens.ts';
import { devicesOf, revokeLogin } from '../world/logins/logins.ts';
import { setPassword } from '../world/logins/passwords.ts';
import type { LoginRow, UserRow } from '../world/state/rows.ts';
import type { World } from '../world/world.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { displayName } from './display-name.ts';
import { resolveAccount } from './resolve-peer.ts';

const text = (max: number) => Type.String({ minLength: 1, maxLength: max });
const UserId = Type.Object({ userId: Type.String() });
const NewAccount = Type.Object({
  firstName: text(64),
  lastName: Type.Optional(Type.String({ maxLength: 64 })),
  username: Type.Optional(text(32)),
  phone: Type.Optional(text(20)),
  password: Type.Optional(Type.String({ maxLength: 256 })),
  hint: Type.Optional(Type.String({ maxLength: 256 })),
  dc: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
});
const Password = Type.Object({
  password: Type.String({ maxLength: 256 }),
  hint: Type.Optional(Type.String({ maxLength: 256 })),
});

/** How to connect, and the accounts with their passwords and devices. */
export function accountRoutes(app: ControlApp, { world, protocol }: ControlDeps): void {
  app.get('/connection', async () => ({
    apiId: sandboxApiId,
    apiHash: sandboxApiHash,
    publicKey: protocol.publicKeyPem,
    dcs: [...protocol.ports].map(([id, port]) => ({ id, host: '127.0.0.1', port })),
  }));

  const Status = Type.Object({ online: Type.Boolean() });
  app.put('/accounts/:userId/status', { schema: { params: UserId, body: Status } }, async ({ params, body }) => {
    pushStatus(world, resolveAccount(world, params.userId).id, body.online);
    return { online: body.online };
  });

  app.get('/accounts', async () =>
    [...world.tables.users.values()].filter(({ account }) => account).map((user) => describeAccount(world, user)),
  );

  app.post('/accounts', { schema: { body: NewAccount } }, async ({ body }) => {
    const user = badRequestOnError(() => addAccount(world, body));
    if (body.password) await setPassword(world, user, body.password, body.hint ?? '');
    return describeAccount(world, user);
  });

  app.put('/accounts/:userId/password', { schema: { params: UserId, body: Password } }, async ({ params, body }) => {
    const user = resolveAccount(world, params.userId);
    await setPassword(world, user, body.password, body.hint ?? '');
    return describeAccount(world, user);
  });

  app.get('/accounts/:userId/devices', { schema: { params: UserId } }, async ({ params }) =>
    devicesOf(world, resolveAccount(world, params.userId).id).map(describeDevice),
  );

  app.delete('/accounts/:userId/devices', { schema: { params: UserId } }, async ({ params }) => {
    const devices = devicesOf(world, resolveAccount(world, params.userId).id);
    for (const device of devices) revokeLogin(world, device);
    return { removed: devices.length };
  });

  const Device = Type.Object({ userId: Type.String(), id: Type.String() });
  app.delete('/accounts/:userId/devices/:id', { schema: { params: Device } }, async ({ params }) => {
    const device = devicesOf(world, resolveAccount(world, params.userId).id).find(({ hash }) => hash === params.id);
    if (!device) throw new ControlError(404, 'device not found');
    revokeLogin(world, device);
    return { removed: 1 };
  });
}

function badRequestOnError(add: () => UserRow): UserRow {
  try {
    return add();
  } catch (error) {
    throw new ControlError(400, error instanceof Error ? error.message : String(error));
  }
}

function describeAccount(world: World, user: UserRow) {
  return {
    userId: String(user.id),
    name: displayName(user),
    username: user.username ?? '',
    phone: user.phone ?? '',
    dc: user.dc,
    hasPassword: user.password !== undefined,
    ...(user.bot ? { bot: true, token: botToken(world, user) } : {}),
    ...(user.deleted ? { deleted: true } : {}),
  };
}

function describeDevice(login: LoginRow) {
  return {
    id: login.hash,
    model: login.model,
    systemVersion: login.systemVersion,
    appVersion: login.appVersion,
    apiId: login.apiId,
    dc: login.dc,
    created: new Date(login.created * 1000).toISOString(),
    active: new Date(login.active * 1000).toISOString(),
  };
}
