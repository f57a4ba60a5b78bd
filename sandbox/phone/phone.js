/** The phone of the sandbox's accounts: links devices, reads and writes chats. Talks to the control API beside it. */

const $ = (id) => document.getElementById(id);
const pollMs = 1500;
/** A typing notice is shown for as long as Telegram shows it. */
const typingShownMs = 6000;

let accounts = [];
let openPeer;
let shownMessages = '';
let shownChats = '';
let shownDevices = '';

async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.message);
  return json;
}

const account = () => accounts.find(({ userId }) => userId === $('account').value);
const own = (path) => `/accounts/${account().userId}${path}`;

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function say(place, text, mood = '') {
  place.textContent = text;
  place.className = mood;
}

// Accounts

async function loadAccounts() {
  accounts = await call('GET', '/accounts');
  const usable = accounts.filter(({ deleted }) => !deleted);
  $('account').replaceChildren(
    ...usable.map(({ userId, name, username }) => new Option(`${name}${username ? ` (@${username})` : ''}`, userId)),
  );
  const wanted = new URLSearchParams(location.hash.slice(1)).get('account');
  if (usable.some(({ userId }) => userId === wanted)) $('account').value = wanted;
}

async function switchAccount() {
  const { userId, phone, dc, hasPassword, bot } = account();
  location.hash = `account=${userId}`;
  const facts = [`ID ${userId}`, phone && `+${phone}`, `data centre ${dc}`, hasPassword && 'two-step password set'];
  $('about').textContent = facts.filter(Boolean).join(' · ');
  $('scan').querySelector('button').disabled = Boolean(bot);
  openPeer = undefined;
  shownMessages = shownChats = shownDevices = '';
  $('chat-title').textContent = 'Choose a chat';
  $('messages').replaceChildren();
  $('write').hidden = true;
  say($('scan-result'), bot ? 'A bot has no phone to scan with.' : '');
  say($('chat-result'), '');
  await refresh();
}

// Linking a device

/** A picture may be pasted bare, or as a data URI. */
function pictureIn(text) {
  const base64 = text.replace(/^data:[^,]*,/, '').replace(/["\s]/g, '');
  return /^[A-Za-z0-9+/]{200,}={0,2}$/.test(base64) ? base64 : undefined;
}

function showPreview() {
  const picture = pictureIn($('code').value);
  $('preview').hidden = !picture;
  if (picture) $('preview').src = `data:image/png;base64,${picture}`;
}

async function takePicture(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  $('code').value = btoa(binary);
  showPreview();
  await scan();
}

async function scan() {
  const text = $('code').value.trim();
  const picture = pictureIn(text);
  const { userId, name } = account();
  if (!text) return say($('scan-result'), 'Paste a QR code or a link first.', 'bad');
  try {
    await call('POST', '/qr/scan', picture ? { userId, qrcode: picture } : { userId, link: text });
    say($('scan-result'), `Accepted: the device may log in as ${name}.`, 'good');
    $('code').value = '';
    showPreview();
  } catch (error) {
    say($('scan-result'), `${error.message}.`, 'bad');
  }
}

$('scan').addEventListener('submit', (event) => {
  event.preventDefault();
  void scan();
});
$('code').addEventListener('input', showPreview);
$('picture').addEventListener('change', () => {
  const [file] = $('picture').files;
  if (file) void takePicture(file);
  $('picture').value = '';
});
document.addEventListener('paste', (event) => {
  const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
  if (!file) return;
  event.preventDefault();
  void takePicture(file);
});
for (const name of ['dragover', 'dragleave', 'drop']) {
  $('link').addEventListener(name, (event) => {
    event.preventDefault();
    $('link').classList.toggle('over', name === 'dragover');
    const [file] = name === 'drop' ? event.dataTransfer.files : [];
    if (file) void takePicture(file);
  });
}

async function showDevices() {
  const devices = await call('GET', own('/devices'));
  const state = JSON.stringify(devices);
  if (state === shownDevices) return;
  shownDevices = state;
  const rows = devices.map(({ id, model, appVersion, created }) => {
    const row = element('li');
    const name = `${model || 'Unknown device'} ${appVersion}`.trim();
    const words = element('span', name);
    words.title = `since ${new Date(created).toLocaleString()}`;
    const remove = element('button', 'Remove', 'plain');
    remove.type = 'button';
    remove.setAttribute('aria-label', `Remove ${name}`);
    remove.addEventListener('click', () => void call('DELETE', own(`/devices/${id}`)).then(refresh));
    row.append(words, remove);
    return row;
  });
  $('devices').replaceChildren(...(rows.length ? rows : [element('li', 'None linked.', 'quiet')]));
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
    $('messages').replaceChildren(...messages.map(messageRow));
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

function messageRow({ out, from, date, service, edited, silent, ...message }) {
  const row = element('li', '', [out && 'out', service && 'service'].filter(Boolean).join(' '));
  const time = new Date(date).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
  const head = [!out && from?.name, time, edited && 'edited', silent && 'silent'].filter(Boolean).join(' · ');
  row.append(element('small', head), preview({ service, ...message }));
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
  await Promise.all([showDevices(), showChats(), showMessages()]);
}

async function keepUp() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    $('about').textContent = 'The sandbox does not answer.';
  }
  setTimeout(keepUp, pollMs);
}

$('account').addEventListener('change', () => void switchAccount());
await loadAccounts();
await switchAccount();
setTimeout(keepUp, pollMs);
