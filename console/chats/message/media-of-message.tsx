import { mediaUrl } from '../../api/chats.ts';
import type { MessageDoc } from '../../api/types.ts';
import { formatBytes, formatCountdown } from '../../parts/format.ts';
import { PollCard } from './poll-card.tsx';

interface Props {
  message: MessageDoc;
  /** Makes the answers of a poll usable. */
  onVote: ((places: readonly number[]) => void) | undefined;
}

/** The media of a message. Pictures have a frame of one size, so that nothing moves when they arrive. */
export function MediaOfMessage({ message, onVote }: Props) {
  const { type, image, video, sticker, audio, voice, document: file, poll, location, contact } = message;
  switch (type) {
    case 'image':
      return image && <Picture url={image.url} shown={image.thumbnail || image.url} label="Photo" />;
    case 'sticker':
      if (sticker === undefined || sticker.url === '') return <p class="muted">Sticker</p>;
      return <img class="sticker" src={mediaUrl(sticker.url)} alt="Sticker" loading="lazy" width="140" height="140" />;
    case 'video':
      return video && <VideoPlayer video={video} />;
    case 'audio':
      return audio && <Player url={audio.url} name={audio.name || 'Audio'} duration={audio.duration} />;
    case 'voice':
      return voice && <Player url={voice.url} name="Voice message" duration={voice.duration} />;
    case 'document':
      return file && <FileLink file={file} />;
    case 'poll':
      return poll && <PollCard poll={poll} onVote={onVote} />;
    case 'location':
      return location && <Place location={location} />;
    case 'contact':
      return (
        contact && (
          <p class="contact">
            <strong>{contact.name}</strong>
            {contact.phone !== '' && <span>{`+${contact.phone.replace(/^\+/, '')}`}</span>}
          </p>
        )
      );
    default:
      return null;
  }
}

function Picture({ url, shown, label }: { url: string; shown: string; label: string }) {
  return (
    <a class="media-frame" href={mediaUrl(url)} target="_blank" rel="noopener noreferrer">
      <img src={mediaUrl(shown)} alt={label} loading="lazy" />
    </a>
  );
}

function VideoPlayer({ video: { url, thumbnail } }: { video: NonNullable<MessageDoc['video']> }) {
  const poster = thumbnail === '' ? {} : { poster: mediaUrl(thumbnail) };
  return (
    <div class="media-frame">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people send has no captions */}
      <video controls preload="none" src={mediaUrl(url)} aria-label="Video" {...poster} />
    </div>
  );
}

function Player({ url, name, duration }: { url: string; name: string; duration: number }) {
  return (
    <figure class="player">
      <figcaption>
        {name} <span class="muted">{formatCountdown(duration * 1_000)}</span>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people send has no captions */}
      <audio controls preload="none" src={mediaUrl(url)} aria-label={name} />
    </figure>
  );
}

function FileLink({ file: { url, name, size } }: { file: NonNullable<MessageDoc['document']> }) {
  return (
    <a class="file" href={mediaUrl(url)} target="_blank" rel="noopener noreferrer">
      <span class="file-name">{name}</span> <span class="muted">{formatBytes(size)}</span>
    </a>
  );
}

function Place({ location: place }: { location: NonNullable<MessageDoc['location']> }) {
  const { latitude, longitude, name, address } = place;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;
  return (
    <p class="place">
      {name !== '' && <strong>{name}</strong>}
      {address !== '' && <span>{address}</span>}
      <a href={map} target="_blank" rel="noopener noreferrer">
        {`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}
      </a>
    </p>
  );
}
