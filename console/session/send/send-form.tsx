import { useState } from 'preact/hooks';
import { postFile } from '../../api/chats.ts';
import { ApiError, request } from '../../api/request.ts';
import { Card } from '../../parts/card.tsx';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { ContentFields } from './content-fields.tsx';
import { type Draft, type DraftType, draftBody, draftTypes, isFileType } from './draft.ts';
import { type Exchange, ExchangeView } from './exchange.tsx';
import { RecipientChoice } from './recipient-choice.tsx';

const emptyDraft: Draft = {
  recipient: { kind: 'username', value: '' },
  type: 'text',
  text: '',
  parseMode: '',
  url: '',
  latitude: '',
  longitude: '',
  name: '',
  address: '',
  phone: '',
  question: '',
  options: '',
  replyTo: '',
  isSilent: false,
};

/** Sends a message of any type, and shows the request and the response. */
export function SendForm({ id, hasSandbox }: { id: string; hasSandbox: boolean }) {
  const [draft, setDraft] = useState<Draft>({
    ...emptyDraft,
    recipient: { kind: 'username', value: hasSandbox ? 'bob' : '' },
  });
  const [chosen, setChosen] = useState<File>();
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const [exchange, setExchange] = useState<Exchange>();
  const { isBusy, result, run } = useAction();
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const send = async (): Promise<string> => {
    const isChosen = isFileType(draft.type) && chosen !== undefined;
    const kept = isChosen ? { ...(await postFile(id, chosen)), name: chosen.name, type: chosen.type } : undefined;
    const body = draftBody(draft, kept);
    const startedAt = performance.now();
    const show = (status: number, response: object): void => {
      const ms = Math.round(performance.now() - startedAt);
      setExchange({ body, idempotencyKey, status, response, ms });
    };
    try {
      const options = { session: id, body, ...(idempotencyKey !== '' && { idempotencyKey }) };
      const sent = await request<{ messageId: string }>('POST', '/message', options);
      show(200, sent);
      change({ text: '' });
      return `Sent. Message ID: ${sent.messageId}.`;
    } catch (error) {
      if (error instanceof ApiError) show(error.status, { statusCode: error.status, message: error.message });
      throw error;
    }
  };
  return (
    <Card title="Send a message" id="send">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(send);
        }}
      >
        <RecipientChoice id={id} recipient={draft.recipient} onChange={(recipient) => change({ recipient })} />
        <div class="field">
          <label for="message-type">Message type</label>
          <select
            id="message-type"
            value={draft.type}
            onChange={({ currentTarget: { value } }) => {
              setChosen(undefined);
              change({ type: value as DraftType });
            }}
          >
            {Object.entries(draftTypes).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <ContentFields key={draft.type} draft={draft} chosen={chosen} onChange={change} onChoose={setChosen} />
        <details>
          <summary>More options</summary>
          <div class="fields">
            <label>
              Reply to message ID
              <input
                autocomplete="off"
                inputMode="numeric"
                value={draft.replyTo}
                onInput={({ currentTarget: { value } }) => change({ replyTo: value })}
              />
            </label>
            <label>
              Idempotency key
              <input
                autocomplete="off"
                maxLength={128}
                value={idempotencyKey}
                onInput={({ currentTarget: { value } }) => setIdempotencyKey(value)}
              />
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={draft.isSilent}
                onChange={({ currentTarget: { checked } }) => change({ isSilent: checked })}
              />
              Without a sound
            </label>
          </div>
        </details>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </button>
        <ActionResult result={result} />
        {exchange !== undefined && <ExchangeView exchange={exchange} />}
      </form>
    </Card>
  );
}
