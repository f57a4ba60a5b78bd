import type { Randomness } from '../../../actors/ports/clock.ts';
import type { Sealed, Sealer } from '../../../actors/ports/sealer.ts';
import type { AccountUpdate, UpdatePosition, UpdateRecord, UpdateRecording } from '../../telegram/port/updates.ts';
import { type DeliveryEvent, type DeliveryMetadata, isDelivered } from '../stream/delivery-events.ts';
import { deliveryBatches } from './delivery-batches.ts';
import { type DeliveryDraft, draftDeliveries } from './delivery-drafts.ts';
import { DeliveryWriter, type DeliveryWriterDeps } from './delivery-writer.ts';
import { findChats } from './find-chats.ts';
import { isBeforeWebhook } from './is-before-webhook.ts';

export interface WebhookRecordingDeps extends DeliveryWriterDeps {
  random: Pick<Randomness, 'uuid'>;
  sealer: Pick<Sealer, 'seal' | 'open'> & { fingerprint(sessionId: string, text: string): Promise<Buffer> };
  /** Since when a session has a webhook, milliseconds since 1970; undefined where it has none. */
  webhookSince: (sessionId: string) => number | undefined;
}

export interface WebhookRecording extends UpdateRecording {
  /** To be told when a webhook has been set, and everybody knows: from here on counts what happens. */
  webhookSet(sessionId: string): void;
}

/** Records what happens in the accounts of sessions with a webhook, each session's in its delivery stream. */
export function createWebhookRecording(setting: WebhookRecordingDeps): WebhookRecording {
  const open = new Map<string, () => void>();
  return {
    open(sessionId, login, onWanted) {
      open.set(sessionId, onWanted);
      return new DeliveryRecord(setting, sessionId, login, () => {
        if (open.get(sessionId) === onWanted) open.delete(sessionId);
      });
    },
    webhookSet: (sessionId) => open.get(sessionId)?.(),
  };
}

class DeliveryRecord implements UpdateRecord {
  readonly #setting: WebhookRecordingDeps;
  readonly #sessionId: string;
  readonly #login: number;
  readonly #writer: DeliveryWriter;
  readonly #onClose: () => void;

  constructor(setting: WebhookRecordingDeps, sessionId: string, login: number, onClose: () => void) {
    this.#setting = setting;
    this.#sessionId = sessionId;
    this.#login = login;
    this.#writer = new DeliveryWriter(setting, sessionId);
    this.#onClose = onClose;
  }

  get isWanted(): boolean {
    return this.#since !== undefined;
  }

  async resume(): Promise<UpdatePosition | undefined> {
    if (!this.isWanted) return undefined;
    const last = await this.#writer.last();
    return last?.login === this.#login ? last.position : undefined;
  }

  async record(updates: readonly AccountUpdate[], from: UpdatePosition, to: UpdatePosition): Promise<void> {
    const since = this.#since;
    if (since === undefined) return;
    const last = await this.#writer.last();
    const isSameLogin = last?.login === this.#login;
    const hasBegun = isSameLogin && last.since === since;
    if (hasBegun && updates.length === 0) return;
    const recordedUpTo = (isSameLogin && last.unfinishedUpTo) || 0;
    const wanted = updates.filter(
      (update) =>
        (hasBegun || !isBeforeWebhook(update, since)) &&
        !(update.type === 'message' && update.message.id <= recordedUpTo),
    );
    const drafts = await this.#writer.patiently(() =>
      draftDeliveries(wanted, (ids) => findChats(this.#setting, this.#sessionId, this.#login, ids)),
    );
    // Nothing was asked to be recorded, but that it has come so far; or nothing is left of what was.
    if (drafts.length === 0 && updates.length > 0) return;
    const common = { at: this.#setting.clock.now(), login: this.#login, since };
    const events = await this.#writer.patiently(() => this.#events(drafts, last?.seq ?? 0, common, to));
    await this.#append(events, from);
  }

  close(): void {
    this.#writer.close();
    this.#onClose();
  }

  get #since(): number | undefined {
    return this.#setting.webhookSince(this.#sessionId);
  }

  /** Where it must be more than one append, only the last one moves the position. */
  async #append(events: readonly DeliveryEvent[], from: UpdatePosition): Promise<void> {
    const batches = deliveryBatches(events);
    let unfinishedUpTo = 0;
    for (const [index, batch] of batches.entries()) {
      if (index === batches.length - 1) {
        await this.#writer.append(batch);
        continue;
      }
      for (const { type, metadata } of batch) {
        if (type === 'MessageReceived') unfinishedUpTo = Math.max(unfinishedUpTo, ...(metadata.messageIds ?? []));
      }
      await this.#writer.append(
        batch.map((event) => ({ ...event, metadata: { ...event.metadata, position: from, unfinishedUpTo } })),
      );
    }
  }

  async #events(
    drafts: readonly DeliveryDraft[],
    seqBefore: number,
    common: Pick<DeliveryMetadata, 'at' | 'login' | 'since'>,
    position: UpdatePosition,
  ): Promise<DeliveryEvent[]> {
    const { random } = this.#setting;
    if (drafts.length === 0) {
      const metadata = { ...common, seq: seqBefore, position };
      return [{ id: random.uuid(), type: 'RecordingStarted', data: {}, metadata }];
    }
    let seq = seqBefore;
    const events: DeliveryEvent[] = [];
    for (const { type, content, messageIds } of drafts) {
      const id = random.uuid();
      if (isDelivered(type)) seq += 1;
      const [sealed, chat] = await Promise.all([this.#seal(id, content), this.#fingerprint(content.user.id)]);
      const metadata = { ...common, seq, chat, ...(messageIds && { messageIds }), position };
      events.push({ id, type, data: { content: sealed }, metadata });
    }
    return events;
  }

  #seal(eventId: string, content: DeliveryDraft['content']): Promise<Sealed> {
    return this.#setting.sealer.seal(this.#sessionId, eventId, JSON.stringify(content));
  }

  async #fingerprint(chatId: string): Promise<string> {
    return (await this.#setting.sealer.fingerprint(this.#sessionId, chatId)).toString('base64url');
  }
}
