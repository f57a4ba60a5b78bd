// Hands what the gateway sends over a WebSocket to Stately's inspector, in a window that is opened as the package
// @statelyai/inspect opens it, and spoken to as that does: by messages, once the window has said that it listens.

const inspectorUrl = 'https://stately.ai/inspect';
const listens = '@statelyai.connected';
/** What waits for a window that does not listen yet: the oldest goes first. */
const maxWaiting = 20_000;

const element = (id) => document.getElementById(id);
const say = (text) => {
  element('status').textContent = text;
};

const query = new URLSearchParams(location.search);
element('session').value = query.get('session') ?? '';
element('replay').checked = query.get('replay') === '1';

let running;
element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  running?.close();
  const target = window.open(inspectorUrl, 'stately-inspector');
  if (target === null) say('The browser did not let this page open a window.');
  else running = connect(target);
});

function connect(target) {
  const key = element('key').value;
  const socket = new WebSocket(socketUrl(), ['inspector', ...(key === '' ? [] : [`key.${base64url(key)}`])]);
  const actors = new Set();
  let messages = 0;
  let waiting = [];
  let origin;
  const pass = (message) => target.postMessage(message, origin);
  const onMessage = (event) => {
    if (event.source !== target || event.data?.type !== listens || !isStately(event.origin)) return;
    origin = event.origin;
    waiting.forEach(pass);
    waiting = [];
    report();
  };
  const report = () => {
    const received = `${actors.size} ${actors.size === 1 ? 'session' : 'sessions'}, ${messages} messages.`;
    say(origin === undefined ? `Received ${received} Waiting for the inspector's window.` : `Showing ${received}`);
  };
  window.addEventListener('message', onMessage);
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    messages += 1;
    actors.add(message.sessionId);
    if (origin !== undefined) pass(message);
    else if (waiting.push(message) > maxWaiting) waiting.shift();
    report();
  });
  let isOpen = false;
  socket.addEventListener('open', () => {
    isOpen = true;
    report();
  });
  socket.addEventListener('close', ({ reason }) => {
    window.removeEventListener('message', onMessage);
    if (running?.socket !== socket) return;
    if (isOpen) say(`The gateway has ended the connection${reason && `: ${reason}`}.`);
    else void whyNot(key).then(say);
  });
  return {
    socket,
    close: () => {
      running = undefined;
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

/** A browser does not tell a page why a WebSocket was refused: the same is asked of the list of sessions. */
async function whyNot(key) {
  const session = element('session').value.trim();
  const path = session === '' ? '../sessions?limit=1' : `../sessions/${encodeURIComponent(session)}`;
  try {
    const answer = await fetch(path, { headers: key === '' ? {} : { 'x-api-key': key } });
    if (!answer.ok) return `The gateway refused: ${(await answer.json()).message}.`;
  } catch {
    // As good as no answer.
  }
  return 'The gateway could not be reached.';
}

const isStately = (origin) => /^https:\/\/(?:[\w-]+\.)*stately\.ai$/.test(origin);

const base64url = (text) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
