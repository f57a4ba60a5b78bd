/** The phone of the sandbox's accounts: links devices, reads and writes chats. Talks to the control API beside it. */

import { $, account, call, loadAccounts, own, say } from './account.js';
import { forgetDevices, showDevices } from './link.js';
import { element, mediaElement } from './media.js';

const pollMs = 1500;
/** A typing notice is shown for as long as Telegram shows it. */
const typingShownMs = 6000;

let openPeer;
let shownMessages = '';
let shownChats = '';

async function switchAccount() {
  const { userId, phone, dc, hasPassword, bot } = account();
  location.hash = `account=${userId}`;
  const facts = [`ID ${userId}`, phone && `+${phone}`, `data centre ${dc}`, hasPassword && 'two-step password set'];
  $('about').textContent = facts.filter(Boolean).join(' · ');
  $('scan').querySelector('button').disabled = Boolean(bot);
  openPeer = undefined;
  shownMessages = shownChats = '';
  forgetDevices();
  $('chat-title').textContent = 'Choose a chat';
  $('messages').replaceChildren();
  $('write').hidden = true;
  say($('scan-result'), bot ? 'A bot has no phone to scan with.' : '');
  say($('chat-result'), '');
  await refresh();
}

// Chats

const preview = ({ text, media, service }) =>
  service ? service.replace('messageAction', '') : [media && `[${media.kind}]`, text].filter(Boolean).join(' ');

async function showChats() {
  const chats = await call('GET', own('/chats'));
  const state = JSON.stringify([chats, openPeer]);
  if (state === shownChats) return;
  shownChats = state;
  const focused = document.activeElement?.dataset?.peer;
  $('chats').replaceChildren(
    ...chats.map(({ peer, title, unread, last }) => {
      const row = element('li');
      const open = element('button');
      open.type = 'button';
      open.dataset.peer = peer;
      if (peer === openPeer) open.setAttribute('aria-current', 'true');
      open.append(element('span', title));
      if (unread) {
        const count = element('span', String(unread), 'count');
        count.setAttribute('aria-label', `${unread} unread`);
        open.append(count);
      }
      if (last) open.append(element('span', preview(last), 'quiet'));
      open.addEventListener('click', () => void openChat(peer, title));
      row.append(open);
      return row;
    }),
  );
  if (focused) document.querySelector(`[data-peer="${focused}"]`)?.focus();
}

async function openChat(peer, title) {
  openPeer = peer;
  shownMessages = '';
  $('chat-title').textContent = title;
  $('write').hidden = false;
  say($('chat-result'), '');
  await refresh();
  $('text').focus();
}

async function showMessages() {
  if (!openPeer) return;
  const peer = openPeer;
  const query = `?peer=${encodeURIComponent(peer)}`;
  const messages = (await call('GET', own(`/messages${query}&limit=60`))).toReversed();
  if (peer !== openPeer) return;
  const state = JSON.stringify(messages);
  if (state !== shownMessages) {
    shownMessages = state;
    $('messages').replaceChildren(...messages.map((message) => messageRow(message, peer)));
    $('messages').scrollTop = $('messages').scrollHeight;
    await call('POST', own('/read'), { peer });
  }
  const typing = await call('GET', own(`/typing${query}`));
  const now = typing.findLast(({ time }) => Date.now() - Date.parse(time) < typingShownMs);
  const shown = now && now.action !== 'sendMessageCancelAction';
  $('typing').textContent = shown
    ? `${now.action.replace('sendMessage', '').replace('Action', '').toLowerCase()}…`
    : '';
}

function messageRow({ id, out, from, date, service, edited, silent, text, media }, peer) {
  const row = element('li', '', [out && 'out', service && 'service'].filter(Boolean).join(' '));
  const time = new Date(date).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
  const head = [!out && from?.name, time, edited && 'edited', silent && 'silent'].filter(Boolean).join(' · ');
  row.append(element('small', head));
  if (media) row.append(mediaElement(media, own(`/messages/${encodeURIComponent(peer)}/${id}/file`)));
  row.append(service ? preview({ service }) : text);
  return row;
}

async function send() {
  const text = $('text').value;
  if (!text.trim()) return;
  try {
    await call('POST', own('/messages'), { peer: openPeer, text });
    $('text').value = '';
    say($('chat-result'), '');
  } catch (error) {
    say($('chat-result'), `Not sent: ${error.message}`, 'bad');
  }
  await refresh();
}

$('write').addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

// Keeping up

async function refresh() {
  await Promise.all([showDevices(refresh), showChats(), showMessages()]);
}

async function keepUp() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    $('about').textContent = 'The sandbox does not answer.';
  }
  setTimeout(() => void keepUp(), pollMs);
}

$('account').addEventListener('change', () => void switchAccount());
await loadAccounts();
await switchAccount();
setTimeout(() => void keepUp(), pollMs);
