import { type ErrorLine, errors } from '../shared/openapi/errors.ts';
import type { Operation } from '../shared/openapi/operation.ts';

/** All errors of an endpoint: its own, and those of all endpoints of its kind. */
export function errorsOf({ access, needs, requests, errors: own = [], id }: Operation): ErrorLine[] {
  return [
    ...(requests === undefined ? [] : errors.withBody),
    ...(access === 'session' || access === 'login' ? [...errors.ofKey, ...errors.ofSession] : []),
    ...(access === 'operator' ? errors.operator : []),
    ...(access === 'link' ? errors.ofLink : []),
    ...(access === 'owner' ? [...errors.operator, ...errors.ofOwner] : []),
    ...own,
    ...(needs === 'connected' ? errors.connected : []),
    ...(access === 'session' && requests !== undefined && needs === undefined ? errors.written : []),
    ...(id === 'live' || id === 'ready' ? errors.everywhere : errors.always),
  ];
}
