import { type ChatSetting, postChatSetting } from '../api/chats.ts';
import type { ChatDoc } from '../api/types.ts';
import { ActionResult, useAction } from '../parts/use-action.tsx';

interface Props {
  session: string;
  chat: ChatDoc;
  /** After a setting was changed. */
  onChanged: () => Promise<void>;
}

/** Name of each setting, and the field of the chat that has it. */
const settings: readonly [name: string, setting: ChatSetting, field: 'pinned' | 'muted' | 'archived'][] = [
  ['Pinned', 'pin', 'pinned'],
  ['Muted', 'mute', 'muted'],
  ['Archived', 'archive', 'archived'],
];

/** The account's settings of a chat, as switches. */
export function ChatSettings({ session, chat, onChanged }: Props) {
  const { isBusy, result, run } = useAction();
  return (
    <div class="chat-settings" role="group" aria-label={`Settings of ${chat.name}`}>
      {settings.map(([name, setting, field]) => (
        <button
          key={setting}
          type="button"
          aria-pressed={chat[field]}
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              await postChatSetting(session, chat, setting, !chat[field]);
              await onChanged();
              return undefined;
            })
          }
        >
          {name}
        </button>
      ))}
      <ActionResult result={result} />
    </div>
  );
}
