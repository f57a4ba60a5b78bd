import { noAnswer, type RpcCall, RpcError, type RpcService, type TlResult } from '../rpc.ts';
import type { CallFault } from '../world/call-faults.ts';
import type { LoggedCall } from '../world/call-log.ts';
import type { World } from '../world/world.ts';
import { type Method, type OpenMethod, requireLogin } from './method.ts';
import { accountMethods } from './methods/account.ts';
import { authorizationMethods, authorizationOpenMethods } from './methods/authorizations.ts';
import { chatMethods } from './methods/chats.ts';
import { contactMethods } from './methods/contacts.ts';
import { dialogMethods } from './methods/dialogs.ts';
import { changeMethods } from './methods/edit-messages.ts';
import { helpMethods, helpOpenMethods } from './methods/help.ts';
import { historyMethods } from './methods/history.ts';
import { loginTokenMethods, loginTokenOpenMethods } from './methods/login-tokens.ts';
import { participantMethods } from './methods/participants.ts';
import { passwordOpenMethods } from './methods/password.ts';
import { photoMethods } from './methods/photos.ts';
import { sendMethods } from './methods/send-messages.ts';
import { storyMethods } from './methods/stories.ts';
import { updateMethods } from './methods/updates.ts';
import { uploadMethods } from './methods/upload.ts';
import { userMethods } from './methods/users.ts';

export interface ServiceOptions {
  world: World;
  /** The port of each data centre: known once they listen. */
  ports: () => ReadonlyMap<number, number>;
  /** A defect of the sandbox: a verb that threw something else than an RpcError. */
  onDefect?: ((context: string, error: unknown) => void) | undefined;
}

/** What Telegram answers: finds the verb, asks for a login where it needs one, and brings the faults in. */
export function createRpcService({ world, ports, onDefect }: ServiceOptions): RpcService {
  const open: Record<string, OpenMethod> = {
    ...helpOpenMethods(ports),
    ...loginTokenOpenMethods,
    ...authorizationOpenMethods,
    ...passwordOpenMethods,
  };
  const verbs: Record<string, Method> = {
    ...helpMethods,
    ...accountMethods,
    ...authorizationMethods,
    ...changeMethods,
    ...chatMethods,
    ...contactMethods,
    ...dialogMethods,
    ...historyMethods,
    ...loginTokenMethods,
    ...participantMethods,
    ...photoMethods,
    ...sendMethods,
    ...storyMethods,
    ...updateMethods,
    ...uploadMethods,
    ...userMethods,
  };

  const carryOut = (call: RpcCall): TlResult | Promise<TlResult> => {
    const openVerb = open[call.method];
    if (openVerb) return openVerb(call.params, { world, call });
    const caller = requireLogin(world, call);
    const verb = verbs[call.method];
    if (!verb) throw new RpcError(400, 'METHOD_INVALID');
    return verb(call.params, caller);
  };

  const withFault = async (call: RpcCall, fault: CallFault): Promise<TlResult> => {
    if (fault.delayMs) await world.wait(fault.delayMs);
    if (fault.error) throw new RpcError(fault.code ?? 400, fault.error);
    const answer = await carryOut(call);
    return fault.dropAnswer ? noAnswer : answer;
  };

  const settle = (entry: LoggedCall, answer: TlResult): TlResult => {
    entry.answer = nameOf(answer);
    world.flush();
    return answer;
  };
  /** A rejection, not a throw: it takes as many turns to arrive as an answer does, and so does not overtake one. */
  const fail = (entry: LoggedCall, error: unknown): Promise<never> => {
    entry.error = error instanceof RpcError ? `${error.code} ${error.text}` : '500 INTERNAL';
    world.flush();
    return Promise.reject(error);
  };

  return {
    // Answers at once where the verb does: calls of one packet are answered in their order, errors too.
    call(call) {
      const entry = logCall(world, call);
      try {
        const fault = world.faults.take(call.method, world.tables.logins.get(call.key.id)?.userId);
        const answer = fault ? withFault(call, fault) : carryOut(call);
        if (!(answer instanceof Promise)) return settle(entry, answer);
        return answer.then(
          (settled) => settle(entry, settled),
          (error: unknown) => fail(entry, error),
        );
      } catch (error) {
        return fail(entry, error);
      }
    },
    keyChanged: (_key, stored) => {
      world.tables.keys.put(stored);
      world.flush();
    },
    keyForgotten: (keyId) => {
      world.tables.keys.delete(keyId);
      world.tables.logins.delete(keyId);
      world.flush();
    },
    isKeyInUse: (keyId) => world.tables.logins.get(keyId) !== undefined,
    ...(onDefect ? { onDefect } : {}),
  };
}

function logCall(world: World, call: RpcCall): LoggedCall {
  const login = world.tables.logins.get(call.key.id);
  return world.calls.add({
    method: call.method,
    ...(login ? { userId: String(login.userId) } : {}),
    keyId: call.key.id,
    dc: call.dc,
    layer: call.layer,
    params: call.params,
    time: world.clock.now(),
  });
}

function nameOf(answer: TlResult): string {
  if (answer === noAnswer) return 'none';
  if (typeof answer === 'boolean') return answer ? 'boolTrue' : 'boolFalse';
  return Array.isArray(answer) ? 'vector' : (answer as { _: string })._;
}
