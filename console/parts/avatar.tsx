import { useState } from 'preact/hooks';
import { mediaUrl } from '../api/chats.ts';
import { initialsOf } from './format.ts';

/** The picture of a person or a chat, or the first letters of its name. The name stands beside it. */
export function Avatar({ name, picture }: { name: string; picture: string }) {
  const [failed, setFailed] = useState('');
  const hasPicture = picture !== '' && picture !== failed;
  return (
    <span class="chat-avatar" aria-hidden="true">
      {hasPicture ? (
        <img src={mediaUrl(picture)} alt="" loading="lazy" width="42" height="42" onError={() => setFailed(picture)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}
