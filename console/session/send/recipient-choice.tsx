import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import type { MessageRecipient } from '../../api/types.ts';

const kindNames: Record<MessageRecipient['kind'], string> = {
  username: 'Username',
  user: 'User ID',
  phone: 'Phone number',
  group: 'Group ID',
  channel: 'Channel ID',
};

interface Chat {
  id: string;
  name: string;
}

interface Props {
  id: string;
  recipient: MessageRecipient;
  onChange: (recipient: MessageRecipient) => void;
}

/** Who gets the message. Groups and channels of the account are offered by name. */
export function RecipientChoice({ id, recipient, onChange }: Props) {
  const { kind, value } = recipient;
  const chats = useChats(id, kind);
  return (
    <>
      <div class="field-row">
        <label class="recipient-kind">
          Recipient
          <select
            value={kind}
            onChange={({ currentTarget }) =>
              onChange({ kind: currentTarget.value as MessageRecipient['kind'], value: '' })
            }
          >
            {Object.entries(kindNames).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          {kindNames[kind]}
          <input
            autocomplete="off"
            required
            value={value}
            onInput={({ currentTarget }) => onChange({ kind, value: currentTarget.value })}
          />
        </label>
      </div>
      {chats.length > 0 && (
        <label>
          {kind === 'group' ? 'Groups of the account' : 'Channels of the account'}
          <select value={value} onChange={({ currentTarget }) => onChange({ kind, value: currentTarget.value })}>
            <option value="">Choose…</option>
            {chats.map((chat) => (
              <option key={chat.id} value={chat.id}>
                {chat.name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

/** The account's groups or channels; none for the other kinds, and none if they cannot be listed: an ID can be typed. */
function useChats(id: string, kind: MessageRecipient['kind']): readonly Chat[] {
  const [chats, setChats] = useState<readonly Chat[]>([]);
  useEffect(() => {
    setChats([]);
    if (kind !== 'group' && kind !== 'channel') return;
    const stop = new AbortController();
    request<{ docs: Chat[] }>('GET', `/${kind}`, { session: id, signal: stop.signal }).then(
      ({ docs }) => setChats(docs),
      () => {},
    );
    return () => stop.abort();
  }, [id, kind]);
  return chats;
}
