import { createMediaLinks } from '../../src/media/links/media-link.ts';
import type { ChildProgram } from './child-program.ts';
import { type Credentials, type LiveGateway, logIn, withLiveGateway } from './live-gateway.ts';

/** A gateway with Ann's session, and files that nobody has viewed. */
export interface LiveMedia extends LiveGateway {
  session: Credentials;
  /** Ann posts a file of that size to Bob; its message ID. */
  post: (bytes: number) => Promise<number>;
  /** The link to it. */
  link: (message: number) => string;
}

const ann = '1001';
const bob = '1002';
const linkKey = Buffer.alloc(32, 5);

export async function withLiveMedia<T>(work: (live: LiveMedia) => Promise<T>): Promise<T> {
  return withLiveGateway(
    async (live) => {
      const session = await logIn(live, ann);
      const links = createMediaLinks({ keys: [linkKey], publicUrl: () => live.gateway.url });
      return work({
        ...live,
        session,
        post: (bytes) => post(live.sandbox, bytes),
        link: (message) => links.link(session.id, { chatId: bob, messageId: String(message), variant: 'file' }, 'bin'),
      });
    },
    { MEDIA_LINK_KEYS: linkKey.toString('hex') },
  );
}

async function post(sandbox: ChildProgram, bytes: number): Promise<number> {
  const response = await fetch(`${sandbox.url}/accounts/${ann}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ peer: bob, media: { kind: 'document', size: bytes } }),
  });
  if (!response.ok) throw new Error(await response.text());
  return Number(((await response.json()) as { messageId: string }).messageId);
}

/** Reads an answer to its end and throws the bytes away. @throws where there were others than so many */
export async function readAll(response: Response, bytes: number): Promise<void> {
  let read = 0;
  for await (const part of response.body ?? []) read += (part as Uint8Array).length;
  if (read !== bytes) throw new Error(`${response.status}: ${read} bytes instead of ${bytes}`);
}
