/** Linking devices: scans QR codes, pasted, dropped or chosen, and lists what is logged in. */

import { $, account, call, own, say } from './account.js';
import { element } from './media.js';

let shownDevices = '';

export const forgetDevices = () => {
  shownDevices = '';
};

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

export async function showDevices(refresh) {
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
