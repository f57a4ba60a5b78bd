import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type FfmpegPrograms, programSearch } from '../../../src/media/outgoing/ffmpeg-programs.ts';
import {
  createMediaPreparations,
  type MediaPreparation,
  type MediaPreparations,
} from '../../../src/media/outgoing/prepare.ts';
import { emptyTemporaryRoot } from '../../../src/media/outgoing/temporary-folder.ts';
import { TemporarySpace } from '../../../src/media/outgoing/temporary-space.ts';
import { KeptFiles } from '../../../src/media/uploads/kept-files.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { createTemporaryFolder } from '../kit/temporary-folder.ts';
import { startWebServer, type WebServer } from '../kit/web-server.ts';

/** Media made ready from a server of ours, with the real programs. */
export interface MediaScene {
  media: MediaPreparation;
  /** Of all sessions; {@link media} is that of one. */
  preparations: MediaPreparations;
  uploads: KeptFiles;
  clock: DrivenClock;
  server: WebServer;
  /** A folder for the test's own files. */
  folder: string;
  /** What the server has under `/name`: bytes, or an answer of its own. Returns the URL. */
  serve(name: string, content: Buffer | string | ((response: ServerResponse) => void)): string;
  /** Whatever FFmpeg could not do. */
  unreadable: unknown[];
  /** What lies in the temporary folder. */
  left(): string[];
  /** A path in {@link folder}. */
  file(name: string): string;
  /** @throws where a file of a send was left behind, or somebody still waits */
  close(): Promise<void>;
}

export interface SceneOptions {
  maxBytes?: number;
  tempBytes?: number;
  allowPrivate?: boolean;
  /** What every name resolves to, rather than what the system says. */
  addresses?: readonly string[];
  /** Where the programs are, rather than those that are found. */
  ffmpegPath?: string;
  ffprobePath?: string;
  /** The programs that are there, rather than looking for them. */
  programs?: FfmpegPrograms;
}

export async function startMediaScene({
  maxBytes = 2 ** 31,
  tempBytes = 2 ** 33,
  allowPrivate = true,
  addresses,
  ffmpegPath,
  ffprobePath,
  programs: there,
}: SceneOptions = {}): Promise<MediaScene> {
  const folder = await createTemporaryFolder();
  const contents = new Map<string, Buffer | string | ((response: ServerResponse) => void)>();
  const server = await startWebServer(({ url = '' }, response) => {
    const content = contents.get(url);
    if (typeof content === 'function') content(response);
    else if (content === undefined) response.writeHead(404).end();
    else response.end(content);
  });
  const clock = createDrivenClock();
  const outbound = createOutbound({
    clock,
    allowPrivate,
    resolve: addresses === undefined ? undefined : () => Promise.resolve(addresses),
  });
  const unreadable: unknown[] = [];
  const root = emptyTemporaryRoot(folder.path);
  const space = new TemporarySpace({ folder: root, maxBytes: tempBytes });
  const uploads = new KeptFiles({
    folder: join(folder.path, 'uploads'),
    space,
    clock,
    randomness: createSeededRandomness(1, clock),
  });
  const preparations = createMediaPreparations({
    outbound,
    uploads,
    clock,
    folder: root,
    space,
    maxBytes,
    programs: there === undefined ? programSearch({ ffmpegPath, ffprobePath }, () => {}) : async () => there,
    onUnreadable: (error) => unreadable.push(error),
  });
  return {
    media: preparations.of({ sessionId: 'one' }),
    preparations,
    uploads,
    clock,
    server,
    folder: folder.path,
    serve: (name, content) => {
      const path = `/${encodeURIComponent(name)}`;
      contents.set(path, content);
      return server.url + path;
    },
    unreadable,
    left: () => readdirSync(root),
    file: (name) => join(folder.path, name),
    close: async () => {
      const left = readdirSync(root);
      uploads.close();
      await outbound.close();
      await server.close();
      await folder.remove();
      if (left.length > 0) throw new Error(`left behind: ${left.join()}`);
      if (clock.armed() > 0) throw new Error('something still waits');
    },
  };
}

const programs = programSearch({ ffmpegPath: undefined, ffprobePath: undefined }, () => {});

/** Has FFmpeg make a file from its own sources, and reads it. */
export async function makeSample(path: string, ...args: string[]): Promise<Buffer> {
  const { ffmpeg } = await programs();
  if (ffmpeg === undefined) throw new Error('there is no FFmpeg');
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...args, path]);
  return readFileSync(path);
}
