// The sandbox's phone: uses the control API and nothing else.

const refreshMs = 1500;
const messagesShown = 50;

const at = (id) => document.getElementById(id);
const account = at('account');
let accounts = [];
let peer;

/** Calls the control API; throws an Error with the server's own message. */
async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const result = answer.status === 204 ? undefined : await answer.json();
  if (!answer.ok) throw new Error(result?.message ?? `${answer.status}`);
  return result;
}

function say(place, text, kind = '') {
  at(place).textContent = text;
  at(place).dataset.kind = kind;
}

function element(tag, text, properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...properties });
}

/** Replaces the children only where something changed, so that focus and scrolling stay. */
function fill(list, signature, children) {
  if (list.dataset.signature === signature) return false;
  list.dataset.signature = signature;
  list.replaceChildren(...children());
  return true;
}

const displayName = ({ name, username, userId }) => `${name || username || userId}${username ? ` (@${username})` : ''}`;

async function showAccounts() {
  accounts = await call('GET', '/accounts');
  account.replaceChildren(...accounts.map((each) => element('option', displayName(each), { value: each.userId })));
  account.value = sessionStorage.getItem('account') ?? accounts[0]?.userId;
  if (account.selectedIndex < 0) account.selectedIndex = 0;
}

async function refresh() {
  const userId = account.value;
  const [devices, chats, messages] = await Promise.all([
    call('GET', `/accounts/${userId}/devices`),
    call('GET', `/accounts/${userId}/chats`),
    peer ? call('GET', `/accounts/${userId}/messages?peer=${encodeURIComponent(peer)}&limit=${messagesShown}`) : [],
  ]);
  if (userId !== account.value) return;
  const owner = accounts.find((each) => each.userId === userId);
  at('password-state').textContent = owner?.hasPassword ? 'On: a new device must give it after the scan.' : 'Off.';
  showDevices(devices);
  showChats(chats);
  showMessages(messages);
}

function showDevices(devices) {
  at('no-devices').hidden = devices.length > 0;
  fill(at('devices'), JSON.stringify([account.value, devices]), () =>
    devices.map((device) => {
      const name = device.model ?? device.name ?? device.id;
      const row = element('li', name);
      const remove = element('button', 'Remove', { type: 'button', className: 'plain', ariaLabel: `Remove ${name}` });
      remove.addEventListener('click', () =>
        attempt('scan-status', () => call('DELETE', `/accounts/${account.value}/devices/${device.id}`)),
      );
      row.append(remove);
      return row;
    }),
  );
}

function showChats(chats) {
  fill(at('chats'), JSON.stringify([account.value, peer, chats]), () =>
    chats.map((chat) => {
      const row = document.createElement('li');
      const open = element('button', chat.name || chat.peer, { type: 'button' });
      open.setAttribute('aria-current', String(chat.peer === peer));
      open.append(
        element('span', `${chat.unread ? `(${chat.unread} new) ` : ''}${chat.last?.text ?? ''}`, { className: 'last' }),
      );
      open.addEventListener('click', () => openChat(chat));
      row.append(open);
      return row;
    }),
  );
}

function openChat(chat) {
  peer = chat.peer;
  at('chat-title').textContent = chat.name || chat.peer;
  for (const control of at('write').elements) control.disabled = false;
  void attempt('write-status', () => call('POST', `/accounts/${account.value}/read`, { peer }));
}

function showMessages(messages) {
  const list = at('messages');
  const changed = fill(list, JSON.stringify([account.value, peer, messages]), () =>
    messages.toReversed().map((message) => {
      const row = element('li', message.text || describe(message.media), { className: message.out ? 'mine' : '' });
      const time = new Date(message.created).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
      row.append(
        element(
          'small',
          `${message.out ? '' : `${message.from?.name || ''} `}${time}${message.edited ? ' · edited' : ''}`,
        ),
      );
      return row;
    }),
  );
  if (changed) list.scrollTop = list.scrollHeight;
}

const describe = (media) => (media ? `[${media.kind ?? 'media'}${media.name ? `: ${media.name}` : ''}]` : '');

/** Does it, says how it went, and shows what came of it. */
async function attempt(place, action, done = '') {
  try {
    await action();
    say(place, done, 'good');
    await refresh();
    return true;
  } catch (error) {
    say(place, error.message, 'bad');
    return false;
  }
}

/** `qrcode` as the gateway gives it, or a data URI of it. */
const pictureOf = (text) =>
  /^(data:image\/png;base64,)?[A-Za-z0-9+/=\s]{200,}$/.test(text)
    ? text.replace(/^data:image\/png;base64,/, '').replace(/\s/g, '')
    : undefined;

function showPreview() {
  const picture = pictureOf(at('code').value.trim());
  at('preview').hidden = picture === undefined;
  if (picture) at('preview').src = `data:image/png;base64,${picture}`;
}

function takePicture(file) {
  const reader = new FileReader();
  reader.addEventListener('load', () => {
    at('code').value = reader.result;
    showPreview();
  });
  reader.readAsDataURL(file);
}

at('code').addEventListener('input', showPreview);
for (const kind of ['paste', 'drop']) {
  at('scan').addEventListener(kind, (event) => {
    const file = [...(event.clipboardData ?? event.dataTransfer).files].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    takePicture(file);
  });
}
at('scan').addEventListener('dragover', (event) => event.preventDefault());

at('scan').addEventListener('submit', async (event) => {
  event.preventDefault();
  const code = at('code').value.trim();
  const qrcode = pictureOf(code);
  const userId = account.value;
  const scanned = await attempt(
    'scan-status',
    () => call('POST', '/qr/scan', qrcode ? { qrcode, userId } : { link: code, userId }),
    'Scanned and accepted.',
  );
  if (scanned) {
    at('code').value = '';
    showPreview();
  }
});

at('write').addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = at('text').value;
  if (
    text.trim() &&
    (await attempt('write-status', () => call('POST', `/accounts/${account.value}/messages`, { peer, text })))
  )
    at('text').value = '';
});

account.addEventListener('change', () => {
  sessionStorage.setItem('account', account.value);
  peer = undefined;
  at('chat-title').textContent = 'Pick a chat';
  for (const control of at('write').elements) control.disabled = true;
  void attempt('write-status', () => Promise.resolve());
});

await showAccounts();
for (;;) {
  try {
    await refresh();
    if (at('write-status').textContent.startsWith('The sandbox')) say('write-status', '');
  } catch {
    say('write-status', 'The sandbox does not answer. Is it running?', 'bad');
  }
  await new Promise((resolve) => setTimeout(resolve, refreshMs));
}
