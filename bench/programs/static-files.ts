import type { AddressInfo } from 'node:net';
import fastifyStatic from '@fastify/static';
import { fastify } from 'fastify';

/** `@fastify/static` and nothing around it: serves the folder STATIC_FOLDER. */
const app = fastify();
await app.register(fastifyStatic, { root: process.env['STATIC_FOLDER'] ?? '' });
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
