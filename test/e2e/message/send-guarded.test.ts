import { describe, expect, it } from 'vitest';
import { useFiles } from '../../support/e2e/file-server.ts';
import { bob } from '../../support/e2e/scene.ts';
import { useWriting } from '../../support/e2e/writing-scene.ts';

/** Every URL field of every endpoint, where `ALLOW_PRIVATE_URLS` is as it is by default. */

const files = useFiles();
const writing = useWriting();

const fields: [string, (url: string) => [path: string, body: object]][] = [
  ['image.url', (url) => ['/message', { user: bob, type: 'image', image: { url, mimetype: 'image/png' } }]],
  [
    'video.url',
    (url) => ['/message', { user: bob, type: 'video', video: { url, mimetype: 'video/mp4', duration: 1 } }],
  ],
  [
    'video.thumbnail',
    (thumbnail) => {
      const video = { url: thumbnail, thumbnail, mimetype: 'video/mp4', duration: 1 };
      return ['/message', { user: bob, type: 'video', video }];
    },
  ],
  [
    'audio.url',
    (url) => ['/message', { user: bob, type: 'audio', audio: { url, mimetype: 'audio/mpeg', duration: 1 } }],
  ],
  [
    'document.url',
    (url) => {
      const document = { url, name: 'a', size: 1, mimetype: 'a/b' };
      return ['/message', { user: bob, type: 'document', document }];
    },
  ],
  ['a story’s image.url', (url) => ['/status', { type: 'image', image: { url, mimetype: 'image/png' } }]],
  ['a story’s video.url', (url) => ['/status', { type: 'video', video: { url, mimetype: 'video/mp4', duration: 1 } }]],
];
const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0'];

describe.each(fields)('%s', (_field, request) => {
  it.each(hosts)('[SR1.1] on %s is never asked for', async (host) => {
    const { port } = new URL(files.serve(Buffer.from('x')));
    const [path, body] = request(`http://${host}:${port}/0/file`);
    const answer = await writing.scene.request(writing.caller, 'POST', path, body);
    expect(answer).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: expect.stringMatching(/^error parser file from url /) },
    });
    expect(files.requests).toBe(0);
  });
});
