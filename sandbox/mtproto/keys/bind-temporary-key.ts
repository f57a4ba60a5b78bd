import { decryptV1FromClient, ENVELOPE_BYTES } from '../../crypto/encrypted-message.ts';
import { RpcError, type TlObject } from '../../rpc.ts';
import { mtprotoSchema } from '../../tl/layers.ts';
import { TlReader } from '../../tl/reader.ts';
import { isTemporary, type Session } from '../server-auth-key.ts';
import type { ServerContext } from '../server-context.ts';

/** 16 random bytes, message ID, seqno and length, then `bind_auth_key_inner` of 40 bytes. */
const BINDING_BYTES = 72;
const BINDING_HEADER_BYTES = 32;

/**
 * Binds the session's temporary key to a permanent key: https://core.telegram.org/api/pfs. The proof is a message
 * encrypted with the permanent key in MTProto 1.0. It names both keys, this session and this call. Throws RpcError.
 */
export function bindTemporaryKey(context: ServerContext, session: Session, callId: bigint, query: TlObject): void {
  const { key } = session;
  const permanentId = query.perm_auth_key_id as bigint;
  const idBytes = Buffer.alloc(8);
  idBytes.writeBigInt64LE(permanentId);
  const permanent = context.keys.find(idBytes.toString('hex'));
  if (!isTemporary(key)) throw new RpcError(400, 'TEMP_AUTH_KEY_EMPTY');
  if (!permanent || isTemporary(permanent) || permanent.dc !== key.dc) {
    throw new RpcError(400, 'ENCRYPTED_MESSAGE_INVALID');
  }
  const envelope = query.encrypted_message as Buffer;
  const plain =
    envelope.length > ENVELOPE_BYTES && envelope.subarray(0, 8).equals(idBytes)
      ? decryptV1FromClient(permanent.secret, envelope, BINDING_BYTES)
      : undefined;
  if (plain?.length !== BINDING_BYTES || plain.readBigInt64LE(16) !== callId) {
    throw new RpcError(400, 'ENCRYPTED_MESSAGE_INVALID');
  }
  const inner = mtprotoSchema.readObject(new TlReader(plain.subarray(BINDING_HEADER_BYTES)));
  const matches =
    inner._ === 'bind_auth_key_inner' &&
    inner.nonce === query.nonce &&
    inner.temp_auth_key_id === key.idBytes.readBigInt64LE() &&
    inner.perm_auth_key_id === permanentId &&
    inner.temp_session_id === session.id &&
    inner.expires_at === query.expires_at;
  if (!matches) throw new RpcError(400, 'ENCRYPTED_MESSAGE_INVALID');
  context.keys.bind(key, permanent, (query.expires_at as number) * 1000);
}
