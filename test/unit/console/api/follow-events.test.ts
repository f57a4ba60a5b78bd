import { afterEach, describe, expect, it } from 'vitest';
import { followEvents } from '../../../../console/api/follow-events.ts';
import { startWebServer, type WebServer } from '../../../support/kit/web-server.ts';

/** Follows until it ends by itself or `count` events have arrived. */
async function follow(open: (lastEventId: string) => Promise<Response>, count: number): Promise<[string?, string?][]> {
  const stop = new AbortController();
  const received: [string?, string?][] = [];
  await followEvents({
    open,
    signal: stop.signal,
    onEvents: (events) => {
      received.push(...events.map(({ id, data }): [string?, string?] => [id, data]));
      if (received.length >= count) stop.abort();
    },
  });
  return received;
}

const responseOf = (...chunks: Uint8Array[]): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  );

describe('the event stream in the console', () => {
  let server: WebServer | undefined;
  afterEach(() => server?.close());

  it('[AD3.1] gives the same events wherever the bytes are cut, with any line end and any spacing', async () => {
    const text =
      '\u{FEFF}retry: 1\n\nid: 1\nevent: A\ndata: {"a":"ü🙂"}\n\n: still here\r\n\r\nid:2\r\ndata:one\r\ndata: two\r\n\r\nevent: none\n\nid: 3\rdata\r\r: end\n';
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const open = async (): Promise<Response> => responseOf(bytes.slice(0, cut), bytes.slice(cut));
      expect(await follow(open, 3)).toEqual([
        ['1', '{"a":"ü🙂"}'],
        ['2', 'one\ntwo'],
        ['3', ''],
      ]);
    }
  });

  it('[AD3.1] reconnects after the delay that the stream names, and continues after the last whole event', async () => {
    const asked: (string | undefined)[] = [];
    const bodies: Record<string, string> = {
      '/?after=0': 'retry: 1\n\nid: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c',
      '/?after=2': 'id: 3\ndata: c\n\n',
      '/?after=3': 'id: 4\ndata: d\n\n',
    };
    server = await startWebServer((request, response) => {
      asked.push(request.url);
      const isOverloaded = asked.length === 2;
      response.writeHead(isOverloaded ? 503 : 200, { 'content-type': 'text/event-stream' });
      // The connection breaks in the middle of an event, and no end of the body is sent.
      response.write(bodies[request.url ?? ''] ?? '', () => response.socket?.destroy());
    });
    const { url } = server;
    const received = await follow((lastEventId) => fetch(`${url}/?after=${lastEventId}`), 4);
    expect(received).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
      ['4', 'd'],
    ]);
    expect(asked).toEqual(['/?after=0', '/?after=2', '/?after=2', '/?after=3']);
  });

  it.each([400, 401, 403, 404])('[AD3.1] does not retry a stream that is refused with %i', async (status) => {
    let requests = 0;
    server = await startWebServer((_request, response) => {
      requests += 1;
      response.writeHead(status).end();
    });
    const { url } = server;
    expect(await follow(() => fetch(url), 1)).toEqual([]);
    expect(requests).toBe(1);
  });
});
