import { readSocket } from '../streams/read-socket.ts';
import { type OpenStream, readStream } from '../streams/read-stream.ts';
import { type Cursor, Pages } from './pages.ts';
import { type Caller, type Given, type Options, type Route, requestOf } from './request-of.ts';
import type { RequestBody } from './transport.ts';

type Page = Given & { docs: readonly unknown[] };
type Call = (...given: unknown[]) => unknown;

/** What the types say of such a class, and the program cannot. */
export type OperationsClass<Operations> = new (caller: Caller) => Operations;

/**
 * A class with a method for each route.
 * @param routes `POST /message key` by the name of the method; `generator/operations.ts` says what the marks mean
 */
export function operationsClass(routes: Readonly<Record<string, string>>): OperationsClass<object> {
  class WithOperations {
    readonly caller: Caller;

    constructor(caller: Caller) {
      // The secrets in it are not shown where an object is printed.
      this.caller = caller;
      Object.defineProperty(this, 'caller', { enumerable: false });
    }
  }
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = '', mark = ''] = route.split(' ');
    Object.defineProperty(WithOperations.prototype, name, {
      value(this: WithOperations, ...given: unknown[]) {
        return methodOf(this.caller, { method, path, mark })(...given);
      },
    });
  }
  return WithOperations;
}

function methodOf(caller: Caller, route: Route): Call {
  const { transport } = caller;
  switch (route.mark) {
    case 'after':
    case 'before':
      return (request, options) =>
        new Pages<Page>(
          (cursor) =>
            transport.json(
              requestOf(
                caller,
                route,
                cursor === undefined ? request : { ...(request as Given), [route.mark]: cursor },
                options,
              ),
            ) as Promise<Page>,
          (page) => page[route.mark] as Cursor,
        );
    case 'stream':
      return (request, options) => {
        const open: OpenStream = (lastEventId, signal) => {
          const { headers, ...rest } = requestOf(caller, route, request, options);
          if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
          return transport.open({ ...rest, headers, signal });
        };
        return readStream(open, (options as Options)?.signal);
      };
    case 'socket':
      return (request, options) => readSocket(caller, route.path, request as Given, options ?? {});
    case 'file':
      return (file, request, options) => {
        const { path, headers } = requestOf(caller, { ...route, method: 'GET' }, request, options);
        const isRepeatable = !(typeof ReadableStream !== 'undefined' && file instanceof ReadableStream);
        const type = (file as Blob).type || 'application/octet-stream';
        const upload = {
          method: route.method,
          path,
          headers: { ...headers, 'content-type': type },
          body: file as RequestBody,
        };
        return transport.json({ ...upload, isRepeatable, signal: (options as Options)?.signal });
      };
    case '-':
      return (options) => transport.json(requestOf(caller, route, undefined, options));
    default:
      return (request, options) => transport.json(requestOf(caller, route, request, options));
  }
}
