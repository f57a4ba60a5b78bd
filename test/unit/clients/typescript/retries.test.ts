import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AccessError,
  ConnectionError,
  Gateway,
  GatewayError,
  type GatewayOptions,
  InvalidRequestError,
  OutcomeUnknownError,
  SessionNotConnectedError,
  SessionNotFoundError,
  TelegramError,
  UnavailableError,
  WaitError,
} from '../../../../clients/typescript/src/index.ts';

/** A response as the gateway writes it. */
interface Scripted {
  status: number;
  body?: object;
  code?: string;
  retryAfter?: number;
}

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const gone = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
});
const absent = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
});
const sent: Scripted = { status: 200, body: { messageId: '14' } };
const message = { username: 'bob', type: 'text', text: 'Hello' } as const;

/** A gateway that responds with what stands in the script, one after the other; an `Error` is a broken connection. */
function scripted(script: readonly (Scripted | Error)[], options: GatewayOptions = {}) {
  const requests: Sent[] = [];
  const gateway = new Gateway({
    ...options,
    fetch: (url, { method = '', headers, body }) => {
      requests.push({
        method,
        path: url.replace('http://127.0.0.1:3000', ''),
        headers: headers as Record<string, string>,
        body: body as string,
      });
      const next = script[requests.length - 1];
      if (next === undefined) throw new Error(`nothing is scripted for request ${requests.length}`);
      if (next instanceof Error) return Promise.reject(next);
      const { status, code, retryAfter, body: content = { statusCode: status, message: 'said' } } = next;
      return Promise.resolve(
        new Response(JSON.stringify(content), {
          status,
          headers: {
            ...(code === undefined ? {} : { 'x-error-code': code }),
            ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
            'x-request-id': 'request-1',
          },
        }),
      );
    },
  });
  return { requests, session: gateway.session({ id: 'a', sessionId: 'b' }), gateway };
}

/** Lets the waits between attempts pass. */
async function passing<Value>(work: Promise<Value>): Promise<Value> {
  const state = { ended: false };
  const end = (): void => {
    state.ended = true;
  };
  work.then(end, end);
  while (!state.ended) await vi.advanceTimersByTimeAsync(250);
  return work;
}

const failureOf = (work: Promise<unknown>): Promise<GatewayError> =>
  passing(
    work.then(
      () => {
        throw new Error('it did not fail');
      },
      (error: GatewayError) => error,
    ),
  );

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('what is repeated', () => {
  it('[TC1.5] a send, under one idempotency key, until the gateway is back', async () => {
    const script = [
      gone,
      absent,
      { status: 503, code: 'starting', retryAfter: 2 },
      { status: 500, code: 'session_not_active', retryAfter: 2 },
      sent,
    ];
    const { session, requests } = scripted(script);
    expect(await passing(session.send(message))).toEqual({ messageId: '14' });
    expect(requests).toHaveLength(script.length);
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify(message)]));
  });

  it('[TC1.5] a send under the key of the caller; another send has another key', async () => {
    const { session, requests } = scripted([gone, sent, sent]);
    await passing(session.send(message, { idempotencyKey: 'order-1' }));
    await passing(session.send(message));
    const [first, second, third] = requests.map(({ headers }) => headers['idempotency-key']);
    expect([first, second]).toEqual(['order-1', 'order-1']);
    expect(third).not.toBe('order-1');
  });

  it('[TC1.5] what reads and what sets', async () => {
    const { session, requests } = scripted([
      gone,
      { status: 200, body: {} },
      { status: 502 },
      { status: 200, body: {} },
    ]);
    await passing(session.getAccount());
    await passing(session.setWebhook({ url: '', token: '' }));
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'PUT', 'PUT']);
  });

  it('[TC1.5] what a POST without a key would do twice only if it was not begun', async () => {
    const { gateway, requests } = scripted([absent, { status: 503, code: 'starting', retryAfter: 1 }, gone]);
    const error = await failureOf(gateway.createSession());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(3);
    const { session } = scripted([{ status: 503, code: 'telegram_timeout', retryAfter: 1 }]);
    expect(await failureOf(session.showTyping({ user: '1' }))).toBeInstanceOf(OutcomeUnknownError);
  });

  it('[TC1.5] nothing that is wrong, whose outcome is unknown for good, or that has to wait for longer', async () => {
    for (const response of [
      { status: 400, code: 'invalid_request' },
      { status: 500, code: 'outcome_unknown' },
      { status: 500, code: 'internal_error' },
      { status: 500, code: 'telegram_error' },
      { status: 429, code: 'telegram_wait', retryAfter: 3_600 },
    ]) {
      const { session, requests } = scripted([response]);
      expect((await failureOf(session.send(message))).code).toBe(response.code);
      expect(requests).toHaveLength(1);
    }
  });

  it('[TC1.5] never sooner than Retry-After, and for no longer than retryForMs', async () => {
    const wait = { status: 429, code: 'pace_reached', retryAfter: 20 };
    const began = performance.now();
    const { session, requests } = scripted([wait, wait, wait, wait], { retryForMs: 50_000 });
    const error = await failureOf(session.send(message));
    expect(requests).toHaveLength(3);
    expect(performance.now() - began).toBeGreaterThanOrEqual(40_000);
    expect(performance.now() - began).toBeLessThan(50_000);
    expect(error.retryAfter).toBe(20);
    const once = scripted([gone], { retryForMs: 0 });
    await failureOf(once.session.send(message));
    expect(once.requests).toHaveLength(1);
  });

  it('[TC1.5] no send of a session that waits for its QR code; one that reconnects is waited for', async () => {
    const refused = { status: 500, code: 'session_not_connected' };
    const state = (qrcode: string): Scripted => ({
      status: 200,
      body: { qrcode, isPasswordRequired: false, isCodeRequired: false },
    });
    const { session, requests } = scripted([refused, state(''), refused, state('iVBOR')]);
    const error = await failureOf(session.send(message));
    expect(error).toBeInstanceOf(SessionNotConnectedError);
    expect(error.message).toContain('waitForLogin');
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /message',
      'GET /session',
      'POST /message',
      'GET /session',
    ]);
  });

  it('[TC1.5] an attempt without a response is given up after timeoutMs', async () => {
    let attempts = 0;
    const gateway = new Gateway({
      timeoutMs: 1_000,
      retryForMs: 0,
      fetch: (_url, { signal }) => {
        attempts += 1;
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    const error = await failureOf(gateway.session({ id: 'a' }).getSession());
    expect([attempts, error.code]).toEqual([1, 'connection_failed']);
    expect(error.message).toContain('no response in 1000 ms');
  });

  it('[TC1.5] nothing after the signal of the caller, whose reason is thrown', async () => {
    const { session } = scripted([gone, gone, gone, gone, gone, gone, gone, gone, gone, gone, gone, gone]);
    const ending = new AbortController();
    const work = session.send(message, { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('enough')), 3_000);
    expect((await failureOf(work)).message).toBe('enough');
  });
});

describe('errors', () => {
  it.each([
    [{ status: 400, code: 'chat_not_found' }, InvalidRequestError],
    [{ status: 401, code: 'invalid_api_key' }, AccessError],
    [{ status: 403, code: 'scope_required' }, AccessError],
    [{ status: 404, code: 'session_not_found' }, SessionNotFoundError],
    [{ status: 429, code: 'too_many_requests', retryAfter: 900 }, WaitError],
    [{ status: 500, code: 'telegram_error' }, TelegramError],
    [{ status: 500, code: 'telegram_wait', retryAfter: 900 }, WaitError],
    [{ status: 500, code: 'outcome_unknown' }, OutcomeUnknownError],
    [{ status: 503, code: 'store_unavailable', retryAfter: 900 }, UnavailableError],
    [{ status: 418, code: 'of_a_later_version' }, InvalidRequestError],
  ])('[TC1.6] %o is a class of its own, with code, retryAfter and what to do', async (response, errorClass) => {
    const { session } = scripted([response]);
    const error = await failureOf(session.send(message, { idempotencyKey: 'order-1' }));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toBeInstanceOf(GatewayError);
    const { code, status, reason, retryAfter, requestId, idempotencyKey } = error;
    expect({ code, status, reason, retryAfter, requestId, idempotencyKey }).toEqual({
      code: response.code,
      status: response.status,
      reason: 'said',
      retryAfter: 'retryAfter' in response ? response.retryAfter : undefined,
      requestId: 'request-1',
      idempotencyKey: 'order-1',
    });
    expect(error.message).toContain(`said (${response.code})`);
    expect(error.name).toBe(errorClass.name);
  });

  it('[TC1.6] no error and no printed session shows a secret', async () => {
    const { gateway } = scripted([absent, { status: 401, code: 'invalid_api_key' }], {
      apiKey: 'key-of-mine',
      retryForMs: 0,
    });
    const session = gateway.session({ id: 'a', sessionId: 'secret-of-mine' });
    const { inspect } = await import('node:util');
    const shown = [await failureOf(session.getSession()), await failureOf(session.getSession()), session, gateway];
    for (const one of shown) {
      const text = `${inspect(one, { depth: 9 })} ${JSON.stringify(one)}`;
      expect(text).not.toContain('key-of-mine');
      expect(text).not.toContain('secret-of-mine');
    }
    expect(session.sessionId).toBe('secret-of-mine');
  });
});

describe('requests', () => {
  it('[TC1.1] path, query and body come from one object', async () => {
    const ok = { status: 200, body: {} };
    const { session, requests, gateway } = scripted([ok, ok, ok, ok]);
    await session.changeGroup({ groupId: '@my group', name: 'New' });
    await session.deleteMessages({ user: '1002', messageIds: ['1', '2'], forEveryone: true });
    await gateway.getSessionSummary({ id: 'x' });
    await session.uploadFile(new Blob(['abc'], { type: 'text/plain' }), { name: 'a b.txt' });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /group/%40my%20group',
      'DELETE /message?user=1002&messageIds=1%2C2&forEveryone=true',
      'GET /sessions/x',
      'POST /file?name=a+b.txt',
    ]);
    expect(requests[0]?.body).toBe('{"name":"New"}');
    expect(requests.map(({ headers }) => headers['session-id'])).toEqual(['b', 'b', undefined, 'b']);
    expect(requests[3]?.headers['content-type']).toBe('text/plain');
  });

  it('[TC1.4] a list is its first page for await, and all its entries for a loop', async () => {
    const page = (docs: number[], before: number): Scripted => ({ status: 200, body: { docs, before } });
    const pages = [page([5, 4], 4), page([], 3), page([2, 1], 0)];
    const { session, requests } = scripted([...pages, ...pages.slice(0, 1)]);
    const found: unknown[] = [];
    for await (const one of session.listMessages({ chatId: '1', limit: 2 })) found.push(one);
    expect(found).toEqual([5, 4, 2, 1]);
    expect(requests.map(({ path }) => path)).toEqual([
      '/chat/message?chatId=1&limit=2',
      '/chat/message?chatId=1&limit=2&before=4',
      '/chat/message?chatId=1&limit=2&before=3',
    ]);
    expect(await session.listMessages({ chatId: '1' })).toEqual({ docs: [5, 4], before: 4 });
  });

  it('[TC1.4] a loop that is left asks for no more pages, and one whose place stays the same ends', async () => {
    const page: Scripted = { status: 200, body: { docs: [1, 2], after: 7 } };
    const { session, requests } = scripted([page, page, { status: 200, body: { docs: [], after: 7 } }]);
    for await (const one of session.listEvents()) if (Number(one) === 1) break;
    expect(requests).toHaveLength(1);
    let count = 0;
    for await (const { docs } of session.listEvents().pages()) count += docs.length;
    expect(count).toBe(2);
  });
});
