/** A phone for the sandbox's accounts: links devices, reads and writes chats. Uses the control API of the same server. */

import { accountPath, byId, currentAccount, loadAccounts, request, showStatus } from './account.js';
import { forgetDevices, showDevices } from './devices.js';
import { element, mediaElement } from './media.js';

const pollMs = 1500;
/** Telegram's clients show a typing notice for this long. */
const typingShownMs = 6000;

let openPeer;
let shownMessages = '';
let shownChats = '';

async function switchAccount() {
  const { userId, phone, dc, hasPassword, bot } = currentAccount();
  location.hash = `account=${userId}`;
  const details = [`ID ${userId}`, phone && `+${phone}`, `data centre ${dc}`, hasPassword && 'two-step password set'];
  byId('about').textContent = details.filter(Boolean).join(' · ');
  byId('scan').querySelector('button').disabled = Boolean(bot);
  openPeer = undefined;
  shownMessages = shownChats = '';
  forgetDevices();
  byId('chat-title').textContent = 'Choose a chat';
  byId('messages').replaceChildren();
  byId('write').hidden = true;
  showStatus(byId('scan-result'), bot ? 'Bots cannot scan QR codes.' : '');
  showStatus(byId('chat-result'), '');
  await refresh();
}

// Chats

const previewText = ({ text, media, service }) =>
  service ? service.replace('messageAction', '') : [media && `[${media.kind}]`, text].filter(Boolean).join(' ');

async function showChats() {
  const chats = await request('GET', accountPath('/chats'));
  const json = JSON.stringify([chats, openPeer]);
  if (json === shownChats) return;
  shownChats = json;
  const focused = document.activeElement?.dataset?.peer;
  byId('chats').replaceChildren(
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
      if (last) open.append(element('span', previewText(last), 'quiet'));
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
  byId('chat-title').textContent = title;
  byId('write').hidden = false;
  showStatus(byId('chat-result'), '');
  await refresh();
  byId('text').focus();
}

async function showMessages() {
  if (!openPeer) return;
  const peer = openPeer;
  const query = `?peer=${encodeURIComponent(peer)}`;
  const messages = (await request('GET', accountPath(`/messages${query}&limit=60`))).toReversed();
  if (peer !== openPeer) return;
  const json = JSON.stringify(messages);
  if (json !== shownMessages) {
    shownMessages = json;
    byId('messages').replaceChildren(...messages.map((message) => messageRow(message, peer)));
    byId('messages').scrollTop = byId('messages').scrollHeight;
    await request('POST', accountPath('/read'), { peer });
  }
  const typing = await request('GET', accountPath(`/typing${query}`));
  const latest = typing.findLast(({ time }) => Date.now() - Date.parse(time) < typingShownMs);
  const isShown = latest && latest.action !== 'sendMessageCancelAction';
  byId('typing').textContent = isShown
    ? `${latest.action.replace('sendMessage', '').replace('Action', '').toLowerCase()}…`
    : '';
}

function messageRow({ id, out, from, date, service, edited, silent, text, media }, peer) {
  const row = element('li', '', [out && 'out', service && 'service'].filter(Boolean).join(' '));
  const time = new Date(date).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
  const header = [!out && from?.name, time, edited && 'edited', silent && 'silent'].filter(Boolean).join(' · ');
  row.append(element('small', header));
  if (media) row.append(mediaElement(media, accountPath(`/messages/${encodeURIComponent(peer)}/${id}/file`)));
  row.append(service ? previewText({ service }) : text);
  return row;
}

async function send() {
  const text = byId('text').value;
  if (!text.trim()) return;
  try {
    await request('POST', accountPath('/messages'), { peer: openPeer, text });
    byId('text').value = '';
    showStatus(byId('chat-result'), '');
  } catch (error) {
    showStatus(byId('chat-result'), `Not sent: ${error.message}`, 'bad');
  }
  await refresh();
}

byId('write').addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

// Refreshing

async function refresh() {
  await Promise.all([showDevices(refresh), showChats(), showMessages()]);
}

async function poll() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    byId('about').textContent = 'The sandbox is not responding.';
  }
  setTimeout(() => void poll(), pollMs);
}

byId('account').addEventListener('change', () => void switchAccount());
await loadAccounts();
await switchAccount();
setTimeout(() => void poll(), pollMs);
