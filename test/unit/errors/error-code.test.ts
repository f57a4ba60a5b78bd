import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodeOf, errorCodes } from '../../../src/errors/error-code.ts';
import { errorsOf } from '../../../src/http/openapi/errors-of.ts';
import { operations } from '../../../src/http/openapi/operations.ts';
import { TelegramError } from '../../../src/telegram/port/errors.ts';

const documented = Object.values(operations).flatMap(errorsOf);

describe('the codes of errors', () => {
  it.each([
    [400, 'text should not be empty', 'invalid_request'],
    [400, 'text should not be empty\ntype must be a string', 'invalid_request'],
    [400, 'body must be valid JSON', 'invalid_request'],
    [400, 'invalid header', 'invalid_header'],
    [400, 'invalid phone, username, user, group or channel', 'invalid_recipient'],
    [400, 'invalid receiver', 'invalid_recipient'],
    [400, 'group not found', 'chat_not_found'],
    [400, 'phone is not on telegram or hidden by its privacy settings', 'phone_not_found'],
    [400, 'login.string should not be empty', 'invalid_request'],
    [400, 'string cannot log in here: AUTH_KEY_UNREGISTERED', 'login_refused'],
    [400, 'auth.logOut is refused', 'method_refused'],
    [401, 'invalid api key', 'invalid_api_key'],
    [403, 'host not allowed', 'host_not_allowed'],
    [404, 'session not found', 'session_not_found'],
    [404, 'media not found', 'not_found'],
    [405, 'method not allowed', 'method_not_allowed'],
    [418, 'of the framework', 'invalid_request'],
    [429, 'too many requests', 'too_many_requests'],
    [429, 'limit of 5 sends per day reached', 'limit_reached'],
    [429, 'limit of 3 sessions reached', 'limit_reached'],
    [429, 'too many pictures of this session are waiting', 'too_many_files'],
    [500, 'session not found', 'session_not_active'],
    [500, 'session not connected', 'session_not_connected'],
    [500, new TelegramError(403, 'CHAT_WRITE_FORBIDDEN', 'messages.SendMessage').message, 'telegram_error'],
    [500, new TelegramError(420, 'FLOOD_WAIT_120', 'messages.SendMessage').message, 'telegram_wait'],
    [500, new TelegramError(420, 'SLOWMODE_WAIT_9', 'messages.SendMessage').message, 'telegram_wait'],
    [500, 'send timeout after 240s', 'telegram_timeout'],
    [500, 'error parser file from url https://a.example/b', 'file_not_downloaded'],
    [500, 'internal server error', 'internal_error'],
    [502, 'of the framework', 'internal_error'],
    [503, 'the event store is not available', 'store_unavailable'],
    [503, 'event store does not answer', 'unavailable'],
  ] satisfies [number, string, ErrorCode][])('[ER1.2] %i %s is %s', (status, message, code) => {
    expect(errorCodeOf(status, message)).toBe(code);
  });

  it('[ER1.2] each one that stands for messages is that of an error in the API document', () => {
    const used = new Set(documented.map(([status, message]) => errorCodeOf(status, message)));
    const named = Object.entries(errorCodes).filter(([, code]) => 'messages' in code);
    expect(named.map(([code]) => code).filter((code) => !used.has(code as ErrorCode))).toEqual([]);
  });

  it('[ER1.2] every status of the API document has a code of its own', () => {
    const statuses = new Set(Object.values(errorCodes).flatMap((code): readonly number[] => code.statuses));
    expect(documented.filter(([status]) => !statuses.has(status))).toEqual([]);
  });

  it('[ER1.2] docs/errors.md lists them, and no others', () => {
    const listed = readFileSync('docs/errors.md', 'utf8').match(/^\| `.*$/gm) ?? [];
    const rows = Object.entries(errorCodes).map(
      ([code, { statuses, meaning }]) => `| \`${code}\` | ${statuses.join(', ')} | ${meaning} |`,
    );
    expect(listed).toEqual(rows);
  });
});
