import { useState } from 'preact/hooks';
import { sendText } from '../api/sessions.ts';
import type { Receiver } from '../api/types.ts';
import { Card, Said, useDoing } from '../parts/use-action.tsx';

const kinds: Record<Receiver['kind'], string> = {
  username: 'Username',
  user: 'User ID',
  phone: 'Phone',
  group: 'Group',
  channel: 'Channel',
};

/** A message, to see that it works. */
export function SendForm({ id, isSandbox }: { id: string; isSandbox: boolean }) {
  const [kind, setKind] = useState<Receiver['kind']>('username');
  const [value, setValue] = useState(isSandbox ? 'bob' : '');
  const [text, setText] = useState('');
  const { isBusy, said, run } = useDoing();
  return (
    <Card title="Send a message" id="send">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            const messageId = await sendText(id, { kind, value: value.trim() }, text);
            setText('');
            return `Sent: message ${messageId}.`;
          });
        }}
      >
        <div class="joined">
          <label class="kind">
            To
            <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Receiver['kind'])}>
              {Object.entries(kinds).map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <label>
            {kinds[kind]}
            <input autocomplete="off" required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
          </label>
        </div>
        <label>
          Text
          <textarea rows={2} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </button>
        <Said said={said} />
      </form>
    </Card>
  );
}
