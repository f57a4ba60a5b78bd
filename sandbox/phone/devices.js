/** Scans QR codes that are pasted, dropped or chosen, and lists the linked devices. */

import { accountPath, byId, currentAccount, request, showStatus } from './account.js';
import { element } from './media.js';

let shownDevices = '';

export const forgetDevices = () => {
  shownDevices = '';
};

/** The base64 of a picture, which may be a data URI; undefined for other texts. */
function readPicture(text) {
  const base64 = text.replace(/^data:[^,]*,/, '').replace(/["\s]/g, '');
  return /^[A-Za-z0-9+/]{200,}={0,2}$/.test(base64) ? base64 : undefined;
}

function showPreview() {
  const picture = readPicture(byId('code').value);
  byId('preview').hidden = !picture;
  if (picture) byId('preview').src = `data:image/png;base64,${picture}`;
}

async function scanPicture(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  byId('code').value = btoa(binary);
  showPreview();
  await scan();
}

async function scan() {
  const text = byId('code').value.trim();
  const picture = readPicture(text);
  const { userId, name } = currentAccount();
  if (!text) return showStatus(byId('scan-result'), 'Paste a QR code or a link first.', 'bad');
  try {
    await request('POST', '/qr/scan', picture ? { userId, qrcode: picture } : { userId, link: text });
    showStatus(byId('scan-result'), `Accepted. The device can log in as ${name}.`, 'good');
    byId('code').value = '';
    showPreview();
  } catch (error) {
    showStatus(byId('scan-result'), `${error.message}.`, 'bad');
  }
}

byId('scan').addEventListener('submit', (event) => {
  event.preventDefault();
  void scan();
});
byId('code').addEventListener('input', showPreview);
byId('picture').addEventListener('change', () => {
  const [file] = byId('picture').files;
  if (file) void scanPicture(file);
  byId('picture').value = '';
});
document.addEventListener('paste', (event) => {
  const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
  if (!file) return;
  event.preventDefault();
  void scanPicture(file);
});
for (const name of ['dragover', 'dragleave', 'drop']) {
  byId('link').addEventListener(name, (event) => {
    event.preventDefault();
    byId('link').classList.toggle('over', name === 'dragover');
    const [file] = name === 'drop' ? event.dataTransfer.files : [];
    if (file) void scanPicture(file);
  });
}

export async function showDevices(refresh) {
  const devices = await request('GET', accountPath('/devices'));
  const json = JSON.stringify(devices);
  if (json === shownDevices) return;
  shownDevices = json;
  const rows = devices.map(({ id, model, appVersion, created }) => {
    const row = element('li');
    const name = `${model || 'Unknown device'} ${appVersion}`.trim();
    const label = element('span', name);
    label.title = `Since ${new Date(created).toLocaleString()}`;
    const remove = element('button', 'Remove', 'plain');
    remove.type = 'button';
    remove.setAttribute('aria-label', `Remove ${name}`);
    remove.addEventListener('click', () => void request('DELETE', accountPath(`/devices/${id}`)).then(refresh));
    row.append(label, remove);
    return row;
  });
  byId('devices').replaceChildren(...(rows.length ? rows : [element('li', 'No devices are linked.', 'quiet')]));
}
