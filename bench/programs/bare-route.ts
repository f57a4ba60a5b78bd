import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

/** Fastify with one route and nothing else: answers with the JSON in the file named by BARE_ANSWER. */
const answer = readFileSync(process.env['BARE_ANSWER'] ?? '', 'utf8');
const app = fastify();
app.get('/session', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(answer);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ url });
