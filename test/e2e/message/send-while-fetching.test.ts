import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reachable, sha256, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { createGate } from '../../support/kit/gate.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** Documents of an announced size, whose first parts are uploaded while the others are still being fetched. */

const second = 1000;
const partBytes = 512 * 1024;
const files = useFiles();
const writing = useWriting(reachable);
const { arrivals, calls, fault, seen, send } = writing;

const bytes = noise(3 * partBytes + 1_000);
/** Files that are on their way. */
const left = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'tmp'));

/** A server that says how large the file is, and sends as much of it as the test says. */
function half(): { url: string; response: Promise<ServerResponse>; gone: Promise<void> } {
  const gone = createGate();
  let give: (response: ServerResponse) => void = () => undefined;
  const response = new Promise<ServerResponse>((resolve) => {
    give = resolve;
  });
  const url = files.serve((given) => {
    given.on('close', () => gone.open());
    given.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 2 * partBytes));
    give(given);
  });
  return { url, response, gone: gone.passed };
}

const sendDocument = (url: string): Promise<Answer> => {
  const document = { url, name: 'a.bin', size: bytes.length, mimetype: 'application/octet-stream' };
  return send({ user: bob, type: 'document', document });
};

it('[MS2.4] the first parts are sent before the last ones are there, and the file arrives byte for byte', async () => {
  const uploaded = await calls('upload.saveFilePart');
  const file = half();
  const sending = sendDocument(file.url);
  await arrivals('upload.saveFilePart', uploaded);
  (await file.response).end(bytes.subarray(2 * partBytes));
  expect(await sending).toMatchObject({ status: 200 });
  expect(await seen(ann, bob, 1)).toMatchObject([{ media: { size: bytes.length, sha256: sha256(bytes) } }]);
  expect(left()).toEqual([]);
});

it('[MS2.4] breaks off when parts have been sent: the interface’s error, and no message', async () => {
  const [uploaded, sent] = [await calls('upload.saveFilePart'), await calls('messages.sendMedia')];
  const file = half();
  const sending = sendDocument(file.url);
  await arrivals('upload.saveFilePart', uploaded);
  const response = await file.response;
  response.write(bytes.subarray(2 * partBytes, -1), () => response.destroy());
  const message = `error parser file from url ${new URL(file.url).origin}: the connection was lost`;
  expect(await sending).toMatchObject(refused(500, message));
  expect(await calls('messages.sendMedia')).toBe(sent);
  expect(left()).toEqual([]);
});

it('[ER3.1] Telegram refuses a part: the fetching ends with it', async () => {
  await fault({ method: 'upload.saveFilePart', error: 'FILE_PART_INVALID' });
  const file = half();
  expect(await sendDocument(file.url)).toMatchObject(
    refused(500, '400: FILE_PART_INVALID (caused by upload.SaveFilePart)'),
  );
  await file.gone;
  expect(left()).toEqual([]);
});

it('[MS6.1] cut off at 240 s between two parts: the fetching and the upload end, and nothing arrives later', async () => {
  const [uploaded, sent] = [await calls('upload.saveFilePart'), await calls('messages.sendMedia')];
  const file = half();
  const sending = sendDocument(file.url);
  await arrivals('upload.saveFilePart', uploaded);
  // One wait at Telegram keeps the last part back; the server would have been given up before.
  await fault({ method: 'upload.saveFilePart', error: 'FLOOD_WAIT_59', times: 999 });
  (await file.response).end(bytes.subarray(2 * partBytes));
  expect(await writing.scene.whilePassing(sending)).toMatchObject(refused(500, 'send timeout after 240s'));
  await writing.scene.sandbox.call('DELETE', '/faults');
  const tried = await calls('upload.saveFilePart');
  await writing.scene.pass(120 * second);
  expect(await calls('upload.saveFilePart')).toBe(tried);
  expect(await calls('messages.sendMedia')).toBe(sent);
  await expect.poll(left).toEqual([]);
});
