/** A phone for the sandbox's accounts: links devices, reads and writes chats. Uses the control API of the same server. */

import { accountPath, byId, currentAccount, loadAccounts, request, showStatus } from './account.js';
import { attempt, composeAbout, messagePath, startComposer } from './composer.js';
import { forgetDevices, showDevices } from './devices.js';
import { startFaults } from './faults.js';
import { element } from './media.js';
import { messageRow, previewText } from './message.js';
import { forgetCodes, showCodes, startSecurity } from './security.js';
import { forgetStories, showStories } from './stories.js';

const pollMs = 1500;
/** Telegram's clients show a typing notice for this long. */
const typingShownMs = 6000;

let openPeer;
let shownMessages = '';
let shownChats = '';
/** The ID of the newest message that is shown. */
let newest;

function showAccount() {
  const { userId, phone, dc, hasPassword } = currentAccount();
  location.hash = `account=${userId}`;
  const details = [`ID ${userId}`, phone && `+${phone}`, `data centre ${dc}`, hasPassword && 'two-step password set'];
  byId('about').textContent = details.filter(Boolean).join(' · ');
}

async function switchAccount() {
  const { bot } = currentAccount();
  showAccount();
  byId('scan').querySelector('button').disabled = Boolean(bot);
  openPeer = undefined;
  shownMessages = shownChats = '';
  forgetDevices();
  forgetCodes();
  forgetStories();
  composeAbout();
  byId('chat-title').textContent = 'Choose a chat';
  byId('messages').replaceChildren();
  byId('write').hidden = true;
  showStatus(byId('scan-result'), bot ? 'Bots cannot scan QR codes.' : '');
  for (const id of ['chat-result', 'password-result', 'fault-result']) showStatus(byId(id), '');
  await refresh();
}

// Chats

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
  composeAbout();
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
    const list = byId('messages');
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
    const byMessageId = new Map(messages.map((message) => [message.id, message]));
    list.replaceChildren(
      ...messages.map((message) => {
        const file = `${messagePath(peer, message)}/file`;
        return messageRow(message, { file, quoted: byMessageId.get(message.replyTo), actions });
      }),
    );
    if (isAtEnd || newest !== messages.at(-1)?.id) list.scrollTop = list.scrollHeight;
    newest = messages.at(-1)?.id;
    await request('POST', accountPath('/read'), { peer });
  }
  const typing = await request('GET', accountPath(`/typing${query}`));
  const latest = typing.findLast(({ time }) => Date.now() - Date.parse(time) < typingShownMs);
  const isShown = latest && latest.action !== 'sendMessageCancelAction';
  byId('typing').textContent = isShown
    ? `${latest.action.replace('sendMessage', '').replace('Action', '').toLowerCase()}…`
    : '';
}

const actions = {
  reply: (message) => composeAbout('reply', message),
  edit: (message) => composeAbout('edit', message),
  remove: (message) => change('DELETE', messagePath(openPeer, message)),
  react: (message, reaction) => change('PUT', `${messagePath(openPeer, message)}/reaction`, { reaction }),
  vote: (message, answer) => change('PUT', `${messagePath(openPeer, message)}/vote`, { answers: [answer] }),
};

const change = (method, path, body) => attempt(() => request(method, path, body), refresh);

// Refreshing

async function refresh() {
  await Promise.all([showDevices(refresh), showChats(), showMessages(), showCodes(), showStories()]);
}

async function poll() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    byId('about').textContent = 'The sandbox is not responding.';
  }
  setTimeout(() => void poll(), pollMs);
}

startComposer(() => openPeer, refresh);
startFaults(refresh);
startSecurity(async () => showAccount());
byId('account').addEventListener('change', () => void switchAccount());
await loadAccounts();
await switchAccount();
setTimeout(() => void poll(), pollMs);
