import type { TlObject } from '../../rpc.ts';
import { normalizeText, type RichText } from '../../world/messages/rich-text.ts';
import type { Caller } from '../method.ts';
import { inputUser } from './input-peer.ts';

/** Reads a text and its entities. @throws {RpcError} 400 ENTITY_BOUNDS_INVALID, 400 ENTITY_MENTION_USER_INVALID */
export function inputText(caller: Caller, text: string, entities: readonly TlObject[] | undefined): RichText {
  return normalizeText(text, entities ?? [], (input) =>
    BigInt(inputUser(caller, input, 'ENTITY_MENTION_USER_INVALID').id),
  );
}
