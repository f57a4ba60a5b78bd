// An endpoint for webhooks: TOKEN=… node endpoint.mjs (npm install standardwebhooks)
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

// The token's bytes are the key. For a token of the standard's form `whsec_…`: new Webhook(token).
const webhook = new Webhook(Buffer.from(process.env.TOKEN), { format: 'raw' });
const seen = new Set();

const server = createServer(async (request, response) => {
  try {
    const { id, type, data } = webhook.verify(await text(request), request.headers);
    // An event may come twice, under the same ID. Respond first, then do what takes long.
    if (!seen.has(id)) console.log(type, JSON.stringify(data));
    seen.add(id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`listening on ${server.address().port}`));
