import { Type } from 'typebox';
import { carryOutDue } from '../api/push/carry-out-due.ts';
import { type KeyFilter, pushShapes } from '../rpc.ts';
import { expireFileReferences } from '../world/files/file-reference.ts';
import { forgetUpdates } from '../world/messages/message-boxes.ts';
import { serverErrors } from '../world/server-errors.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { resolveAccount } from './resolve-peer.ts';

const OptionalUser = Type.Optional(Type.Union([Type.String(), Type.Integer()]));
const Fault = Type.Object({
  method: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  userId: OptionalUser,
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  code: Type.Optional(Type.Integer()),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  dropAnswer: Type.Optional(Type.Boolean()),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});
const Network = Type.Object({
  action: Type.Union(
    ['cut', 'refuse', 'accept', 'blackhole', 'slowPong', 'forgetSessions'].map((action) => Type.Literal(action)),
  ),
  userId: OptionalUser,
  address: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
});
const count = Type.Optional(Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 1_000_000 })]));
const shape = Type.Union(pushShapes.map((each) => Type.Literal(each)));
const Chaos = Type.Object({
  transportError: Type.Optional(Type.Union([-404, -429, -444].map((code) => Type.Literal(code)))),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  announceAnswers: count,
  unknownUpdate: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Object({ shape })])),
  stuckDifference: count,
  unreadableDifference: count,
  batchAnswers: count,
  loseUpdates: count,
  duplicateUpdates: count,
  reorderUpdates: count,
  differenceSlice: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  forgetUpdates: Type.Optional(Type.Boolean()),
  expireFileReferences: Type.Optional(Type.Boolean()),
  badSalt: Type.Optional(Type.Boolean()),
  forgetKey: Type.Optional(Type.Boolean()),
  forgetClient: Type.Optional(Type.Boolean()),
  userId: OptionalUser,
});
const Clock = Type.Object({ advanceMs: Type.Integer({ minimum: 0, maximum: 365 * 24 * 3_600_000 }) });
const Calls = Type.Object({
  method: Type.Optional(Type.String()),
  userId: Type.Optional(Type.String()),
  since: Type.Optional(Type.String()),
});

/** For how long `batchAnswers: true` holds answers. */
const defaultBatchMs = 50;
/** Default delay of `slowPong`: longer than the 3 s that GramJS waits. */
const defaultSlowPongMs = 5_000;

/** Faults, the clock, the call log, statistics and the reset. */
export function faultRoutes(app: ControlApp, { world, protocol, seed }: ControlDeps): void {
  const idOf = (userId: string | number | undefined): number | undefined =>
    userId === undefined ? undefined : resolveAccount(world, String(userId)).id;
  const keysOf = (userId: number): string[] =>
    [...world.tables.logins.values()].filter((login) => login.userId === userId).map(({ keyId }) => keyId);
  /** Matches the keys that are logged in as the user when the fault hits, not only now. */
  const filterOf = (userId: number | undefined): KeyFilter | undefined =>
    userId === undefined ? undefined : (key) => world.tables.logins.get(key.id)?.userId === userId;

  app.post('/faults', { schema: { body: Fault } }, async ({ body }) => {
    const { userId, times = 1, ...fault } = body;
    if (fault.error === undefined && fault.delayMs === undefined && !fault.dropAnswer) {
      throw new ControlError(400, 'one of error, delayMs, dropAnswer is required');
    }
    const user = idOf(userId);
    const code = fault.error === undefined ? {} : { code: fault.code ?? usualCode(fault.error) };
    world.faults.add({ ...fault, ...code, ...(user === undefined ? {} : { userId: user }), times });
    return { added: true };
  });

  app.delete('/faults', async () => {
    world.faults.clear();
    return { cleared: true };
  });

  app.post('/network', { schema: { body: Network } }, async ({ body }) => {
    const user = idOf(body.userId);
    const filter = filterOf(user);
    const { address } = body;
    if (address !== undefined) {
      if (body.action === 'refuse' || body.action === 'blackhole') protocol.cutOff(address, body.action);
      else if (body.action === 'accept') protocol.accept(address);
      else throw new ControlError(400, 'address goes with refuse, blackhole and accept');
    } else if (body.action === 'cut') protocol.cut(user === undefined ? undefined : keysOf(user));
    else if (body.action === 'refuse') protocol.refuse(filter);
    else if (body.action === 'blackhole') protocol.blackhole(filter);
    else if (body.action === 'forgetSessions') protocol.forgetSessions(filter);
    else if (body.action === 'slowPong') protocol.slowPong(body.ms ?? defaultSlowPongMs, filter);
    else protocol.accept();
    return { action: body.action };
  });

  app.post('/chaos', { schema: { body: Chaos } }, async ({ body }) => {
    const user = idOf(body.userId);
    const filter = filterOf(user);
    const times = (value: boolean | number): number => Number(value);
    if (body.batchAnswers !== undefined) {
      protocol.batchAnswers(body.batchAnswers === true ? defaultBatchMs : times(body.batchAnswers), filter);
    }
    if (body.loseUpdates !== undefined) protocol.loseUpdates(times(body.loseUpdates), filter);
    if (body.duplicateUpdates !== undefined) protocol.duplicateUpdates(times(body.duplicateUpdates), filter);
    if (body.reorderUpdates !== undefined) protocol.reorderUpdates(times(body.reorderUpdates), filter);
    if (body.transportError !== undefined) protocol.transportError(body.transportError, body.times ?? 1, filter);
    if (body.announceAnswers !== undefined) protocol.announceAnswers(times(body.announceAnswers), filter);
    const { unknownUpdate } = body;
    if (typeof unknownUpdate === 'number') protocol.unknownUpdate(unknownUpdate, 'unreadable', filter);
    else if (unknownUpdate !== undefined) protocol.unknownUpdate(body.times ?? 1, unknownUpdate.shape, filter);
    if (body.stuckDifference !== undefined) world.differenceFaults.setStuck(times(body.stuckDifference), user);
    if (body.unreadableDifference !== undefined) {
      world.differenceFaults.setUnreadable(times(body.unreadableDifference), user);
    }
    if (body.differenceSlice !== undefined) world.setDifferenceSlice(body.differenceSlice);
    if (body.forgetUpdates) {
      const boxes = user === undefined ? [...world.tables.boxes.values()].map(({ box }) => box) : [`user:${user}`];
      for (const box of boxes) forgetUpdates(world, box);
    }
    if (body.expireFileReferences) expireFileReferences(world);
    if (body.badSalt) protocol.badSalt(filter);
    if (body.forgetClient) protocol.forgetClient(filter);
    if (body.forgetKey) {
      const keys = user === undefined ? [...world.tables.keys.values()].map(({ id }) => id) : keysOf(user);
      for (const keyId of keys) protocol.forgetKey(keyId);
    }
    return { done: true };
  });

  app.post('/clock', { schema: { body: Clock } }, async ({ body }) => {
    world.advance(body.advanceMs);
    carryOutDue(world);
    return { now: new Date(world.clock.now()).toISOString() };
  });

  app.get('/calls', { schema: { querystring: Calls } }, async ({ query }) => {
    const { method, userId, since } = query;
    return world.calls
      .list({
        ...(method === undefined ? {} : { method }),
        ...(userId === undefined ? {} : { userId }),
        ...(since === undefined ? {} : { since: timeOf(since) }),
      })
      .map((call) => ({ ...call, time: new Date(call.time).toISOString() }));
  });

  app.get('/stats', async () => {
    const stats = protocol.stats();
    const states = [...world.tables.logins.values()].map(({ state }) => state);
    const inState = (wanted: (typeof states)[number]): number => states.filter((state) => state === wanted).length;
    return { ...stats, logins: inState('active'), duplicatedLogins: inState('duplicated') };
  });

  app.post('/reset', async () => {
    world.reset(seed);
    return { reset: true };
  });
}

/** Milliseconds since 1970, or ISO 8601. @throws {ControlError} 400 */
function timeOf(text: string): number {
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(time)) throw new ControlError(400, 'since must be a time in ISO 8601 or in milliseconds');
  return time;
}

/** The code that Telegram sends with an error of this name. */
function usualCode(error: string): number {
  if (/_WAIT_\d+$/.test(error)) return 420;
  if (/_MIGRATE_\d+$/.test(error)) return 303;
  if (error === 'AUTH_KEY_DUPLICATED' || error === 'UPDATE_APP_TO_LOGIN') return 406;
  if (/^(AUTH_KEY_|SESSION_|USER_DEACTIVATED)/.test(error)) return 401;
  if (error.endsWith('_FORBIDDEN')) return 403;
  if (error.startsWith('FLOOD_SKIP_FAILED_WAIT')) return 420;
  return serverErrors.find(([name]) => name === error)?.[1] ?? 400;
}
