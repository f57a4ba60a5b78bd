/** The line below the chat: writes, replies, edits, and sends files. */

import { accountPath, byId, request, showStatus } from './account.js';
import { previewText } from './message.js';

/** `{ kind: 'reply' or 'edit', message }` */
let about;

const kinds = [
  [/^image\/(jpeg|png|webp)$/, 'photo'],
  [/^video\//, 'video'],
  [/^audio\/ogg/, 'voice'],
  [/^audio\//, 'audio'],
];

export const messagePath = (peer, { id }) => accountPath(`/messages/${encodeURIComponent(peer)}/${id}`);

export function composeAbout(kind, message) {
  about = message && { kind, message };
  byId('about-message').hidden = !message;
  if (!message) return;
  byId('about-text').textContent = `${kind === 'edit' ? 'Editing' : 'Reply to'}: ${previewText(message).slice(0, 80)}`;
  if (kind === 'edit') byId('text').value = message.text;
  byId('text').focus();
}

/** Runs a request of the chat, shows why it failed, and brings the chat up to date. */
export async function attempt(work, refresh) {
  try {
    await work();
    showStatus(byId('chat-result'), '');
  } catch (error) {
    showStatus(byId('chat-result'), `Not done: ${error.message}`, 'bad');
  }
  await refresh();
}

async function base64Of(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces = [];
  for (let start = 0; start < bytes.length; start += 32_768) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 32_768)));
  }
  return btoa(pieces.join(''));
}

/** @param openPeer gives the peer of the open chat */
export function startComposer(openPeer, refresh) {
  const post = (body) => request('POST', accountPath('/messages'), { peer: openPeer(), ...body });
  const place = () => (about?.kind === 'reply' ? { replyTo: about.message.id } : {});

  byId('write').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = byId('text').value;
    if (!text.trim()) return;
    void attempt(async () => {
      if (about?.kind === 'edit') await request('PATCH', messagePath(openPeer(), about.message), { text });
      else await post({ text, ...place() });
      byId('text').value = '';
      composeAbout();
    }, refresh);
  });
  byId('about-cancel').addEventListener('click', () => {
    if (about?.kind === 'edit') byId('text').value = '';
    composeAbout();
  });
  byId('attach').addEventListener('change', () => {
    const [file] = byId('attach').files;
    if (!file) return;
    const kind = kinds.find(([pattern]) => pattern.test(file.type))?.[1] ?? 'document';
    const type = file.type ? { mime: file.type } : {};
    void attempt(async () => {
      const media = { kind, name: file.name, ...type, content: await base64Of(file) };
      await post({ text: byId('text').value, media, ...place() });
      byId('text').value = '';
      composeAbout();
    }, refresh);
    byId('attach').value = '';
  });
  byId('sample').addEventListener('change', () => {
    const kind = byId('sample').value;
    byId('sample').value = '';
    if (kind) void attempt(() => post({ media: { kind }, ...place() }), refresh);
  });
}
