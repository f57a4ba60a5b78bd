import type { TlObject } from '../../rpc.ts';
import type { ReplyPlace } from '../../world/forums/find-topic.ts';

/** The message that a call replies to, and the topic that it names: https://core.telegram.org/api/threads */
export function inputReply(params: TlObject): ReplyPlace {
  const { reply_to, reply_to_msg_id, top_msg_id } = params;
  return {
    replyTo: reply_to?.reply_to_msg_id ?? reply_to_msg_id,
    topic: reply_to?.top_msg_id ?? top_msg_id,
  };
}
