// Passes the messages of the gateway's WebSocket on to Stately's inspector. Opens the inspector's window and talks to it
// as the package @statelyai/inspect does: with postMessage, after the window has reported that it is connected.

const inspectorUrl = 'https://stately.ai/inspect';
const connectedType = '@statelyai.connected';
/** Messages are queued until the window is connected. When the queue is full, the oldest are dropped. */
const maxQueued = 20_000;

const element = (id) => document.getElementById(id);
const showStatus = (text) => {
  element('status').textContent = text;
};

const query = new URLSearchParams(location.search);
element('session').value = query.get('session') ?? '';
element('replay').checked = query.get('replay') === '1';

let current;
element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  current?.close();
  const inspector = window.open(inspectorUrl, 'stately-inspector');
  if (inspector === null) showStatus('The browser blocked the window of the inspector. Allow pop-ups for this page.');
  else current = connect(inspector);
});

function connect(inspector) {
  const key = element('key').value;
  const socket = new WebSocket(socketUrl(), ['inspector', ...(key === '' ? [] : [`key.${base64url(key)}`])]);
  const sessions = new Set();
  let messageCount = 0;
  let queue = [];
  let inspectorOrigin;
  const post = (message) => inspector.postMessage(message, inspectorOrigin);
  const onWindowMessage = (event) => {
    if (event.source !== inspector || event.data?.type !== connectedType || !isStately(event.origin)) return;
    inspectorOrigin = event.origin;
    queue.forEach(post);
    queue = [];
    showProgress();
  };
  const showProgress = () => {
    const counts = `${formatCount(sessions.size, 'session')}, ${formatCount(messageCount, 'message')}.`;
    showStatus(
      inspectorOrigin === undefined ? `Received ${counts} Waiting for the inspector's window.` : `Showing ${counts}`,
    );
  };
  window.addEventListener('message', onWindowMessage);
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    messageCount += 1;
    sessions.add(message.sessionId);
    if (inspectorOrigin !== undefined) post(message);
    else if (queue.push(message) > maxQueued) queue.shift();
    showProgress();
  });
  let wasOpen = false;
  socket.addEventListener('open', () => {
    wasOpen = true;
    showProgress();
  });
  socket.addEventListener('close', ({ reason }) => {
    window.removeEventListener('message', onWindowMessage);
    if (current?.socket !== socket) return;
    if (wasOpen) showStatus(`The gateway closed the connection${reason && `: ${reason}`}.`);
    else void explainRefusal(key).then(showStatus);
  });
  return {
    socket,
    close: () => {
      current = undefined;
      socket.close();
    },
  };
}

function socketUrl() {
  const url = new URL('../inspector', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const session = element('session').value.trim();
  if (session !== '') url.searchParams.set('session', session);
  if (session !== '' && element('replay').checked) url.searchParams.set('replay', '1');
  return url;
}

/**
 * A browser hides from a page why a WebSocket was refused. A request to the list of sessions, or to the one session,
 * is refused for the same reason.
 */
async function explainRefusal(key) {
  const session = element('session').value.trim();
  const path = session === '' ? '../sessions?limit=1' : `../sessions/${encodeURIComponent(session)}`;
  try {
    const response = await fetch(path, { headers: key === '' ? {} : { 'x-api-key': key } });
    if (!response.ok) return `The gateway refused the connection: ${(await response.json()).message}.`;
  } catch {
    // No response, or none that is JSON: the gateway is not reachable.
  }
  return 'The gateway could not be reached.';
}

const formatCount = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const isStately = (origin) => /^https:\/\/(?:[\w-]+\.)*stately\.ai$/.test(origin);

const base64url = (text) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
