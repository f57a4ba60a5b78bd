import { noAnswer, type RpcCall, RpcError, type RpcService, type TlResult } from '../rpc.ts';
import type { CallFault } from '../world/call-faults.ts';
import type { LoggedCall } from '../world/call-log.ts';
import { endDuplicatedLogin } from '../world/logins/logins.ts';
import type { World } from '../world/world.ts';
import { requirePerson } from './bot-methods.ts';
import { type Method, type OpenMethod, requireHome, requireLogin, requireThawed } from './method.ts';
import { accountMethods } from './methods/account.ts';
import { chatMethods } from './methods/chats/chat-info.ts';
import { createChatMethods } from './methods/chats/create-chats.ts';
import { editChatMethods } from './methods/chats/edit-chats.ts';
import { editRightsMethods } from './methods/chats/edit-rights.ts';
import { inviteLinkMethods } from './methods/chats/invite-links.ts';
import { joinByLinkMethods } from './methods/chats/join-by-link.ts';
import { membershipMethods } from './methods/chats/membership.ts';
import { participantMethods } from './methods/chats/participants.ts';
import { contactMethods } from './methods/contacts.ts';
import { dialogMethods } from './methods/dialogs.ts';
import { editMethods } from './methods/edit-messages.ts';
import { fileHashMethods } from './methods/file-hashes.ts';
import { editTopicMethods } from './methods/forums/edit-topics.ts';
import { readTopicMethods } from './methods/forums/read-topics.ts';
import { helpMethods, helpOpenMethods } from './methods/help.ts';
import { historyMethods } from './methods/history.ts';
import { loginMethods, loginOpenMethods } from './methods/logins/login-methods.ts';
import { messageMethods } from './methods/messages/message-methods.ts';
import { profileMethods } from './methods/profiles/profile-methods.ts';
import { readMethods } from './methods/read-history.ts';
import { sendMethods } from './methods/send-messages.ts';
import { typingMethods } from './methods/set-typing.ts';
import { storyMethods } from './methods/stories.ts';
import { updateMethods } from './methods/updates.ts';
import { uploadMethods } from './methods/upload.ts';
import { userMethods } from './methods/users.ts';
import { carryOutDue } from './push/carry-out-due.ts';

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
    ...loginOpenMethods,
  };
  const methods: Record<string, Method> = {
    ...helpMethods,
    ...accountMethods,
    ...editMethods,
    ...readMethods,
    ...typingMethods,
    ...chatMethods,
    ...createChatMethods,
    ...editChatMethods,
    ...editRightsMethods,
    ...inviteLinkMethods,
    ...joinByLinkMethods,
    ...membershipMethods,
    ...editTopicMethods,
    ...readTopicMethods,
    ...contactMethods,
    ...dialogMethods,
    ...fileHashMethods,
    ...historyMethods,
    ...loginMethods,
    ...messageMethods,
    ...participantMethods,
    ...profileMethods,
    ...sendMethods,
    ...storyMethods,
    ...updateMethods,
    ...uploadMethods,
    ...userMethods,
  };

  const run = (call: RpcCall): TlResult | Promise<TlResult> => {
    if (world.tables.logins.get(call.key.id)?.state === 'duplicated') throw new RpcError(406, 'AUTH_KEY_DUPLICATED');
    const openMethod = openMethods[call.method];
    if (openMethod) return openMethod(call.params, { world, call });
    const method = methods[call.method];
    // An unknown method is refused before the login is checked: official clients destroy their keys on a 401.
    if (!method) throw new RpcError(400, 'METHOD_INVALID');
    const caller = requireLogin(world, call);
    requireHome(caller);
    requireThawed(caller);
    requirePerson(caller);
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
    // A method that answers at once is answered at once: so the calls of one packet are answered in order, errors too.
    call(call) {
      carryOutDue(world);
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
    keyDuplicated: (keyId) => endDuplicatedLogin(world, keyId),
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
