/** What a message carries, as the phone shows it. */

export function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** `file`: where the bytes are. */
export function mediaElement(media, file) {
  const show = shown[media.kind];
  const made = show ? show(media, file) : element('span', `[${media.kind}]`);
  made.classList.add('media');
  return made;
}

const thumbnail = (media, file) => (media.thumbnail ? `${file}?size=thumbnail` : file);

function picture({ width, height }, src, alt) {
  const image = element('img');
  Object.assign(image, { src, alt, loading: 'lazy' });
  if (width) Object.assign(image, { width, height });
  return image;
}

function link(href, text, facts) {
  const made = element('a', text);
  Object.assign(made, { href, target: '_blank', rel: 'noopener' });
  const box = element('span');
  box.append(made, element('small', facts.filter(Boolean).join(' · ')));
  return box;
}

function photo(media, file) {
  const made = element('a');
  Object.assign(made, { href: file, target: '_blank', rel: 'noopener' });
  made.append(picture(media.thumbnail ?? media, thumbnail(media, file), `Photo, ${media.width} by ${media.height}`));
  return made;
}

function video(media, file) {
  const made = element('video');
  Object.assign(made, { src: file, controls: true, preload: 'none', title: media.name || 'Video' });
  if (media.thumbnail) made.poster = thumbnail(media, file);
  made.loop = media.kind === 'gif';
  return withFacts(made, [media.name, seconds(media), bytes(media)]);
}

function audio(media, file) {
  const made = element('audio');
  Object.assign(made, { src: file, controls: true, preload: 'none' });
  return withFacts(made, [media.title || media.name || 'Voice message', seconds(media), bytes(media)]);
}

function poll({ question, options }) {
  const box = element('span', question);
  const list = element('ul');
  list.append(...options.map((option) => element('li', `○ ${option}`)));
  box.append(list);
  return box;
}

const place = ({ title, address, latitude, longitude }) =>
  withFacts(element('span', title || 'Pin'), [address, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`]);

const shown = {
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
  animatedSticker: (media, file) => picture({ width: 128, height: 128 }, thumbnail(media, file), 'Animated sticker'),
  document: (media, file) => link(file, media.name || 'File', [bytes(media), media.mime]),
  contact: ({ firstName, lastName, phone }) => withFacts(element('span', `${firstName} ${lastName}`.trim()), [phone]),
  dice: ({ emoji, value }) => element('span', `${emoji} ${value}`),
  webpage: ({ url, title }) => (/^https?:/.test(url) ? link(url, title || url, [url]) : element('span', url)),
};

function withFacts(made, facts) {
  const box = element('span');
  box.append(made, element('small', facts.filter(Boolean).join(' · ')));
  return box;
}

const seconds = ({ duration }) => `${Math.floor(duration / 60)}:${String(Math.round(duration % 60)).padStart(2, '0')}`;

function bytes({ size }) {
  if (size < 1_000) return `${size} bytes`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(0)} KB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
