import { useState } from 'preact/hooks';
import { postText } from '../api/sessions.ts';
import type { MessageRecipient, ParseMode } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { ActionResult, useAction } from '../parts/use-action.tsx';

const kindNames: Record<MessageRecipient['kind'], string> = {
  username: 'Username',
  user: 'User ID',
  phone: 'Phone number',
  group: 'Group ID',
  channel: 'Channel ID',
};

const formattingNames: Record<ParseMode | '', string> = { '': 'None', markdown: 'Markdown', html: 'HTML' };

/** Sends a text message. */
export function SendForm({ id, hasSandbox }: { id: string; hasSandbox: boolean }) {
  const [kind, setKind] = useState<MessageRecipient['kind']>('username');
  const [value, setValue] = useState(hasSandbox ? 'bob' : '');
  const [text, setText] = useState('');
  const [parseMode, setParseMode] = useState<ParseMode | ''>('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Send a message" id="send">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            const messageId = await postText(id, { kind, value: value.trim() }, text, parseMode);
            setText('');
            return `Sent. Message ID: ${messageId}.`;
          });
        }}
      >
        <div class="field-row">
          <label class="recipient-kind">
            Recipient
            <select value={kind} onChange={(event) => setKind(event.currentTarget.value as MessageRecipient['kind'])}>
              {Object.entries(kindNames).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label>
            {kindNames[kind]}
            <input autocomplete="off" required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
          </label>
        </div>
        <label>
          Text
          <textarea rows={2} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label>
          Formatting
          <select value={parseMode} onChange={(event) => setParseMode(event.currentTarget.value as ParseMode | '')}>
            {Object.entries(formattingNames).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}
