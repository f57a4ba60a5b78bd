import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';
import { ready } from '../support/commands.ts';

/** Fastify with one route and nothing else: its handler returns the object in the file named by BARE_RESPONSE. */
const body = JSON.parse(readFileSync(process.env['BARE_RESPONSE'] ?? '', 'utf8')) as object;
const app = fastify();
// As a handler is commonly written: it returns an object, and Fastify makes JSON of it.
app.get('/session', async () => body);
ready(await app.listen({ host: '127.0.0.1', port: 0 }));
