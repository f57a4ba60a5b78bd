import { noAnswer, type RpcCall, RpcError, type RpcService, type TlResult } from '../rpc.ts';
import type { CallFault } from '../world/call-faults.ts';
import type { LoggedCall } from '../world/call-log.ts';
import type { World } from '../world/world.ts';
import { type Method, type OpenMethod, requireHome, requireLogin, requireThawed } from './method.ts';
import { accountMethods } from './methods/account.ts';
import { authorizationMethods, authorizationOpenMethods } from './methods/authorizations.ts';
import { chatMethods } from './methods/chats.ts';
import { contactMethods } from './methods/contacts.ts';
import { dialogMethods } from './methods/dialogs.ts';
import { editMethods } from './methods/edit-messages.ts';
import { helpMethods, helpOpenMethods } from './methods/help.ts';
import { historyMethods } from './methods/history.ts';
import { loginTokenMethods, loginTokenOpenMethods } from './methods/login-tokens.ts';
import { participantMethods } from './methods/participants.ts';
import { passwordOpenMethods } from './methods/password.ts';
import { photoMethods } from './methods/photos.ts';
import { readMethods } from './methods/read-history.ts';
import { sendMethods } from './methods/send-messages.ts';
import { typingMethods } from './methods/set-typing.ts';
import { storyMethods } from './methods/stories.ts';
import { updateMethods } from './methods/updates.ts';
import { uploadMethods } from './methods/upload.ts';
import { userMethods } from './methods/users.ts';

export interface RpcServiceDeps {
  world: World;
  /** The ports of the data centres; empty before the server listens. */
  ports: () => readonly { dc: number; port: number }[];
  /** Called on a defect of the sandbox: a method threw something other than an RpcError. */
  onDefect?: ((context: string, error: unknown) => void) | undefined;
}

/** Answers RPC calls: finds the method, requires a login if it needs one, applies faults and logs the call. */
export function createRpcService({ world, ports, onDefect }: RpcServiceDeps): RpcService {
  const openMethods: Record<string, OpenMethod> = {
    ...helpOpenMethods(ports),
    ...loginTokenOpenMethods,
    ...authorizationOpenMethods,
    ...passwordOpenMethods,
  };
  const methods: Record<string, Method> = {
    ...helpMethods,
    ...accountMethods,
    ...authorizationMethods,
    ...editMethods,
    ...readMethods,
    ...typingMethods,
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

  const run = (call: RpcCall): TlResult | Promise<TlResult> => {
    const openMethod = openMethods[call.method];
    if (openMethod) return openMethod(call.params, { world, call });
    const caller = requireLogin(world, call);
    requireHome(caller);
    requireThawed(caller);
    const method = methods[call.method];
    if (!method) throw new RpcError(400, 'METHOD_INVALID');
    world.rateLimits.count(call.method, caller.me);
    return method(call.params, caller);
  };

  const runWithFault = async (call: RpcCall, fault: CallFault): Promise<TlResult> => {
    if (fault.delayMs) await world.wait(fault.delayMs);
    if (fault.error) throw new RpcError(fault.code ?? 400, fault.error);
    const answer = await run(call);
    return fault.dropAnswer ? noAnswer : answer;
  };

  const logAnswer = (entry: LoggedCall, answer: TlResult): TlResult => {
    entry.answer = answerName(answer);
    world.flush();
    return answer;
  };
  /** Rejects instead of throwing: an error then takes as many turns as an answer, and does not overtake it. */
  const logError = (entry: LoggedCall, error: unknown): Promise<never> => {
    entry.error = error instanceof RpcError ? `${error.code} ${error.text}` : '500 INTERNAL';
    world.flush();
    return Promise.reject(error);
  };

  return {
    // Synchronous if the method is: the calls of one packet are then answered in order, errors too.
    call(call) {
      const entry = logCall(world, call);
      try {
        const fault = world.faults.take(call.method, world.tables.logins.get(call.key.id)?.userId);
        const answer = fault ? runWithFault(call, fault) : run(call);
        if (!(answer instanceof Promise)) return logAnswer(entry, answer);
        return answer.then(
          (settled) => logAnswer(entry, settled),
          (error: unknown) => logError(entry, error),
        );
      } catch (error) {
        return logError(entry, error);
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

function answerName(answer: TlResult): string {
  if (answer === noAnswer) return 'none';
  if (typeof answer === 'boolean') return answer ? 'boolTrue' : 'boolFalse';
  return Array.isArray(answer) ? 'vector' : (answer as { _: string })._;
}
