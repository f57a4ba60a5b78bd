import { type ErrorLine, errors } from '../shared/openapi/errors.ts';

const of = (status: number, lines: readonly ErrorLine[]): ErrorLine[] => lines.filter((line) => line[0] === status);

/** The error responses that many endpoints have, by their names under `components/responses`. Each has one status. */
export const sharedErrors: Readonly<Record<string, readonly ErrorLine[]>> = {
  InvalidHeader: of(400, errors.ofSession),
  InvalidApiKey: of(401, errors.operator),
  Forbidden: of(403, errors.everywhere),
  ScopeMissing: [...of(403, errors.ofKey), ...of(403, errors.everywhere)],
  ChatNotAllowed: [...of(403, errors.ofKey), ...of(403, errors.ofSession), ...of(403, errors.everywhere)],
  SessionNotFound: of(404, errors.ofSession),
  BodyTooLarge: of(413, errors.withBody),
  WrongContentType: of(415, errors.withBody),
  TooManyRequests: of(429, errors.ofSession),
  InternalError: of(500, errors.always),
  SessionNotActive: [...of(500, errors.ofSession), ...of(500, errors.always)],
  SessionNotConnected: [...of(500, errors.ofSession), ...of(500, errors.connected), ...of(500, errors.always)],
  Unavailable: of(503, errors.always),
  NotRecorded: [...of(503, errors.written), ...of(503, errors.always)],
};
