import type { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import type { Json } from '../../../../actors/ports/event-store.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import { PeerNotFoundError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';
import { type PreparedMethod, type RawMethods, RefusedMethodError, UnknownMethodError } from '../../port/raw.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { answerJson } from './answer-json.ts';
import { readParams } from './read-params.ts';
import { isRefused } from './refused-methods.ts';
import { methodOf } from './schema.ts';
import { sentBy } from './sent-messages.ts';
import { withoutServiceHits } from './service-messages.ts';
import { requireOtherSources } from './source-messages.ts';

export interface RawMethodsDeps {
  book: PeerCache;
  call: RpcCall;
  random: Pick<Randomness, 'bytes'>;
  /** Looks up the user or chat with this ID. */
  meet: (id: string, signal: LightAbortSignal) => Promise<Peer>;
}

/** Any method of the layer, for a connected account. */
export class GramRawMethods implements RawMethods {
  readonly #deps: RawMethodsDeps;

  constructor(deps: RawMethodsDeps) {
    this.#deps = deps;
  }

  async prepare(method: string, params: unknown, signal: LightAbortSignal): Promise<PreparedMethod> {
    const definition = methodOf(method);
    if (definition === undefined) throw new UnknownMethodError(`the layer has no ${method}`);
    if (isRefused(method)) throw new RefusedMethodError(`${method} is refused`);
    const request = await readParams(definition, params, {
      peerOf: (id) => this.#peerOf(id, signal),
      randomId: () => this.#deps.random.bytes(8).readBigInt64LE(),
    });
    const { call } = this.#deps;
    await requireOtherSources(call, request, signal);
    const send = async (sendSignal: LightAbortSignal): Promise<Json> =>
      answerJson(withoutServiceHits(request, await call(request as Api.AnyRequest, sendSignal)));
    return { send, sent: sentBy(call, request) };
  }

  async #peerOf(id: string, signal: LightAbortSignal): Promise<KnownPeer | undefined> {
    if (!/^-?[1-9]\d{0,18}$/.test(id)) return undefined;
    try {
      return this.#deps.book.get((await this.#deps.meet(id, signal)).id);
    } catch (error) {
      // A chat that the account has left can still be named: Telegram decides.
      if (error instanceof PeerNotFoundError) return this.#deps.book.get(id);
      throw error;
    }
  }
}
