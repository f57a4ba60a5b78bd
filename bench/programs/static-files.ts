import fastifyStatic from '@fastify/static';
import { fastify } from 'fastify';
import { ready } from '../support/commands.ts';

/** `@fastify/static` and nothing around it: serves the folder STATIC_FOLDER. */
const app = fastify();
await app.register(fastifyStatic, { root: process.env['STATIC_FOLDER'] ?? '' });
ready(await app.listen({ host: '127.0.0.1', port: 0 }));
