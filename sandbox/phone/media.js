/** The elements that show the media of messages. */

export function element(tag, text, className) {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  if (className) node.className = className;
  return node;
}

/** `file` is the URL of the bytes. */
export function mediaElement(media, file, onVote) {
  const render = renderers[media.kind];
  const node = render ? render(media, file, onVote) : element('span', `[${media.kind}]`);
  node.classList.add('media');
  return node;
}

const thumbnailUrl = (media, file) => (media.thumbnail ? `${file}?size=thumbnail` : file);

function picture({ width, height }, src, alt) {
  const image = element('img');
  Object.assign(image, { src, alt, loading: 'lazy' });
  if (width) Object.assign(image, { width, height });
  return image;
}

function link(href, text, details) {
  const anchor = element('a', text);
  Object.assign(anchor, { href, target: '_blank', rel: 'noopener' });
  return withDetails(anchor, details);
}

function photo(media, file) {
  const anchor = element('a');
  Object.assign(anchor, { href: file, target: '_blank', rel: 'noopener' });
  anchor.append(
    picture(media.thumbnail ?? media, thumbnailUrl(media, file), `Photo, ${media.width} by ${media.height}`),
  );
  return anchor;
}

function video(media, file) {
  const player = element('video');
  Object.assign(player, { src: file, controls: true, preload: 'none', title: media.name || 'Video' });
  if (media.thumbnail) player.poster = thumbnailUrl(media, file);
  player.loop = media.kind === 'gif';
  return withDetails(player, [media.name, durationText(media), sizeText(media)]);
}

function audio(media, file) {
  const player = element('audio');
  Object.assign(player, { src: file, controls: true, preload: 'none' });
  return withDetails(player, [media.title || media.name || 'Voice message', durationText(media), sizeText(media)]);
}

/** A vote is taken by `onVote`, with the answer's place. */
function poll({ question, options, votes = [], closed }, file, onVote) {
  const box = element('span', question);
  const list = element('ul');
  const answers = options.map((option, index) => {
    const row = element('li');
    const answer = element('button', option, 'plain');
    Object.assign(answer, { type: 'button', disabled: Boolean(closed) || !onVote });
    answer.addEventListener('click', () => onVote(index));
    row.append(answer, element('small', ` ${votes[index] ?? 0}`));
    return row;
  });
  list.append(...answers);
  box.append(list, ...(closed ? [element('small', 'Closed')] : []));
  return box;
}

const place = ({ title, address, latitude, longitude }) =>
  withDetails(element('span', title || 'Pin'), [address, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`]);

const renderers = {
  photo,
  video,
  round: video,
  gif: video,
  audio,
  voice: audio,
  poll,
  location: place,
  venue: place,
  sticker: (media, file) => picture({ width: 128, height: 128 }, file, 'Sticker'),
  animatedSticker: (media, file) => picture({ width: 128, height: 128 }, thumbnailUrl(media, file), 'Animated sticker'),
  document: (media, file) => link(file, media.name || 'File', [sizeText(media), media.mime]),
  contact: ({ firstName, lastName, phone }) => withDetails(element('span', `${firstName} ${lastName}`.trim()), [phone]),
  dice: ({ emoji, value }) => element('span', `${emoji} ${value}`),
  webpage: ({ url, title }) => (/^https?:/.test(url) ? link(url, title || url, [url]) : element('span', url)),
};

function withDetails(node, details) {
  const box = element('span');
  box.append(node, element('small', details.filter(Boolean).join(' · ')));
  return box;
}

const durationText = ({ duration }) =>
  `${Math.floor(duration / 60)}:${String(Math.round(duration % 60)).padStart(2, '0')}`;

function sizeText({ size }) {
  if (size < 1_000) return `${size} bytes`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(0)} KB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
