import { createMediaLinks } from '../../src/media/links/media-link.ts';
import { ann, bob } from './accounts.ts';
import { jsonCall } from './json-call.ts';
import { type Credentials, type LiveGateway, logIn, withLiveGateway } from './live-gateway.ts';

/** A gateway with Ann's session, and files that are not cached. */
export interface LiveMedia extends LiveGateway {
  session: Credentials;
  /** Ann posts a file of that size to Bob. Resolves with its message ID. */
  post: (bytes: number) => Promise<number>;
  /** The media link of such a file. */
  link: (message: number) => string;
}

const linkKey = Buffer.alloc(32, 5);

export async function withLiveMedia<T>(work: (live: LiveMedia) => Promise<T>): Promise<T> {
  return withLiveGateway(
    async (live) => {
      const session = await logIn(live, ann);
      const links = createMediaLinks({ keys: [linkKey], publicUrl: () => live.gateway.url });
      return work({
        ...live,
        session,
        post: (bytes) => post(live, bytes),
        link: (message) =>
          links.link(session.id, ann, { chatId: bob, messageId: String(message), variant: 'file' }, 'bin'),
      });
    },
    { MEDIA_LINK_KEYS: linkKey.toString('hex') },
  );
}

async function post({ sandbox }: LiveGateway, bytes: number): Promise<number> {
  const { messageId } = await jsonCall<{ messageId: string }>('POST', `${sandbox.url}/accounts/${ann}/messages`, {
    body: { peer: bob, media: { kind: 'document', size: bytes } },
  });
  return Number(messageId);
}

/** Reads a response to its end and drops the bytes. @throws Error it has another length than `bytes` */
export async function readAll(response: Response, bytes: number): Promise<void> {
  let read = 0;
  for await (const part of response.body ?? []) read += (part as Uint8Array).length;
  if (read !== bytes) throw new Error(`${response.status}: ${read} bytes instead of ${bytes}`);
}
