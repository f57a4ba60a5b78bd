// oxlint-disable no-console -- a program whose output is read
/**
 * What a user of the TypeScript client does, in plain JavaScript that Node, Bun and Deno run alike. Each step is a line of output. Arguments: the
 * gateway's URL, the port for a webhook, a name that is its own.
 */
import { createWebhook, Gateway, SessionNotFoundError } from 'telegram-session-gateway-client';

const { Bun, Deno, process } = globalThis;
const [baseUrl, port, name] = Deno ? Deno.args : process.argv.slice(2);
const token = 'a-token-of-the-webhook';
// Node 20 has no WebSocket.
const sockets = globalThis.WebSocket ? {} : { WebSocket: (await import('ws')).WebSocket };

const gateway = new Gateway({ baseUrl });
try {
  await gateway.session({ id: 'nobody', sessionId: 'nothing' }).getSession();
} catch (error) {
  console.log(error instanceof SessionNotFoundError, error.code);
}

const session = await gateway.createSession({ label: name });
const account = await session.waitForLogin({
  pollMs: 100,
  onQr: ({ link, text, dataUri }) =>
    console.log('qr', link, text.split('\n').length > 10, dataUri.startsWith('data:image/png;base64,')),
});
console.log('connected', account.name);

const webhook = createWebhook({
  token,
  onEvent: ({ type, data }) => type === 'message' && console.log('webhook', data.text),
});
if (Bun) Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: webhook.fetch });
else if (Deno) Deno.serve({ port: Number(port), hostname: '127.0.0.1', onListen: () => {} }, webhook.fetch);
else (await import('node:http')).createServer(webhook.express).listen(Number(port), '127.0.0.1');
await session.setWebhook({ url: `http://127.0.0.1:${port}/`, token });

const bytes = new TextEncoder().encode(`a file from ${name}`);
const { id } = await session.uploadFile(new Blob([bytes], { type: 'text/plain' }), { name: 'a.txt' });
const document = { file: id, name: 'a.txt', size: bytes.length, mimetype: 'text/plain' };
const sent = await session.send({ username: 'bob', type: 'document', document, text: `file ${name}` });
const text = { username: 'bob', type: 'text', text: `hello from ${name}` };
const first = await session.send(text, { idempotencyKey: name });
const again = await session.send(text, { idempotencyKey: name });
console.log('sent', sent.messageId !== first.messageId, first.messageId === again.messageId);
const texts = [];
for await (const message of session.listMessages({ chatId: '1002', limit: 1 })) {
  texts.push(message.text);
  if (texts.length === 2) break;
}
console.log('listed', JSON.stringify(texts));

async function read(kind, events) {
  for await (const { type, data } of events) if (type === 'message') console.log(kind, data.text);
  console.log(kind, 'ended');
}
const readers = [
  read('sse', session.streamMessages({ reader: 'sse' })),
  read('ws', session.readMessages({ reader: 'ws' }, sockets)),
];
console.log('reading');
await Promise.all(readers);
console.log('done');
if (Deno) Deno.exit(0);
process.exit(0);
