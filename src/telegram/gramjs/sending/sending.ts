import type { Api } from 'telegram/tl/index.js';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import type { SendMark } from '../../port/outgoing.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import type { Upload } from '../files/upload-file.ts';
import type { SendOrder } from './send-order.ts';
import type { SentMessages } from './sent-messages.ts';

/** What sending needs from an account. */
export interface Sending {
  clock: Clock;
  book: PeerCache;
  sent: SentMessages;
  order: SendOrder;
  call: RpcCall;
  upload: Upload;
  /** The largest file that the account may upload, in bytes. */
  maxUploadBytes: () => number;
  /** Converts a time of Telegram's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime: (serverSeconds: number) => number;
}

/** One message to send, of any type. */
export interface Dispatch extends SendMark {
  peer: KnownPeer;
  request: Api.messages.SendMessage | Api.messages.SendMedia;
  /** Whether a message of the account in that chat may be this one. */
  matches: (message: Api.Message) => boolean;
}

/** Several messages of one request, all of which are sent or none. */
export interface BatchDispatch extends Pick<SendMark, 'begunAt'> {
  peer: KnownPeer;
  request: Api.messages.SendMultiMedia | Api.messages.ForwardMessages;
  /** Of each message, in their order: see `random-ids.ts`. */
  randomIds: readonly bigint[];
  /**
   * Whether a message of the account in that chat may be the one at this place.
   * @param first the message found at the first place, for the others
   */
  matches: (message: Api.Message, place: number, first: Api.Message | undefined) => boolean;
}
