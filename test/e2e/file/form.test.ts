import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../support/e2e/file-server.ts';
import { exchange } from '../../support/e2e/raw-http.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** `POST /file` with a form, as pages and most HTTP libraries send files. */

const writing = useWriting({ environment: {} });
const kept = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'uploads'));
const invalid = refused(400, 'body must be a form with one file');

async function post(body: FormData, query = ''): Promise<Answer> {
  const url = `${writing.scene.gateway.url}/file${query}`;
  const response = await fetch(url, { method: 'POST', headers: writing.caller.headers, body });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

/** A form byte by byte. `announced`: bytes; the text's own length if it is left out. */
async function postText(text: string, type: string, announced = Buffer.byteLength(text)): Promise<Answer> {
  const { id, 'session-id': secret } = writing.caller.headers;
  const head = [
    'POST /file HTTP/1.1',
    'host: localhost',
    `id: ${id}`,
    `session-id: ${secret}`,
    `content-type: ${type}`,
  ];
  const whole = `${[...head, `content-length: ${announced}`].join('\r\n')}\r\n\r\n${text}`;
  const { status, headers, text: body } = await exchange(writing.scene.gateway.url, whole);
  return { status, headers: new Headers(headers), body: JSON.parse(body) as never };
}

const part = (name: string): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.txt"\r\ncontent-type: text/plain\r\n\r\n`;

describe('a file in a form', () => {
  it('[MX1.19] arrives byte for byte, with the name and the type of its part', async () => {
    const bytes = noise(3_000_001);
    const form = new FormData();
    form.set('comment', 'before');
    form.set('upload', new Blob([bytes], { type: 'application/pdf' }), 'näme.pdf');
    form.set('other', 'after');
    const { status, body } = await post(form);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { size: 3_000_001, name: 'näme.pdf', mimetype: 'application/pdf' },
    });
    const document = { file: body.id, name: 'report.pdf', size: 5, mimetype: 'application/pdf' };
    expect(await writing.send({ user: bob, type: 'document', document })).toMatchObject({ status: 200 });
    const [message] = await writing.seen(ann, bob, 1);
    expect(message?.media).toMatchObject({ kind: 'document', sha256: sha256(bytes) });
  });

  it("[MX1.19] has the query's name first, and a tidy one", async () => {
    const form = new FormData();
    form.set('file', new Blob(['text']), 'inner.txt');
    expect(await post(form, '?name=outer.txt')).toMatchObject({ status: 200, body: { name: 'outer.txt', size: 4 } });
    const nameless = await postText(
      '--x\r\ncontent-disposition: form-data; name="f"; filename=""\r\n\r\na\r\n--x--',
      boundary,
    );
    expect(nameless).toMatchObject({ status: 200, body: { name: 'file', size: 1 } });
  });

  it('[MX1.19] is needed, once', async () => {
    const before = kept();
    const none = new FormData();
    none.set('comment', 'no file');
    expect(await post(none)).toMatchObject(refused(400, 'file should not be empty'));
    const empty = new FormData();
    empty.set('file', new Blob([]), 'empty.txt');
    expect(await post(empty)).toMatchObject(refused(400, 'file should not be empty'));
    const two = new FormData();
    two.set('one', new Blob(['1']), 'one.txt');
    two.set('two', new Blob(['2']), 'two.txt');
    expect(await post(two)).toMatchObject(invalid);
    expect(kept()).toEqual(before);
  });

  it('[MX1.19] leaves nothing behind if the form is cut off', async () => {
    const before = kept();
    for (const [text, type] of [
      [`${part('a')}some of the`, boundary],
      [`${part('a')}whole\r\n--x\r\n`, boundary],
      [`${part('a')}whole\r\n--x--\r\n`, 'multipart/form-data'],
      ['no form at all', boundary],
    ] as const) {
      expect({ text, ...(await postText(text, type)) }).toMatchObject({ text, ...invalid });
    }
    expect(kept()).toEqual(before);
  });

  it('[MX1.13] [MX1.19] that stalls before or after its file is given up', async () => {
    const before = kept();
    for (const text of ['--x\r\n', part('a'), `${part('a')}whole\r\n--x\r\ncontent-`]) {
      const answer = postText(text, boundary, 1_000);
      expect({ text, ...(await writing.scene.whilePassing(answer)) }).toMatchObject({
        text,
        ...refused(408, 'request timeout'),
      });
    }
    expect(kept()).toEqual(before);
  });
});

const boundary = 'multipart/form-data; boundary=x';
