import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../../clients/mcp/src/advice.ts';
import { GatewayRefusal, GatewayUnreachable } from '../../../../clients/mcp/src/gateway.ts';

const refusal = (status: number, message: string, code = '', retryAfter?: number): GatewayRefusal =>
  new GatewayRefusal({ status, message, code, retryAfter });

describe('what a tool says after an error', () => {
  it.each([
    [refusal(401, 'invalid api key', 'invalid_api_key'), 'Do not try again.'],
    [refusal(403, 'scope accounts is required', 'scope_required'), 'do not look for another way around it'],
    [refusal(403, 'chat is not among those of the key', 'chat_not_allowed'), 'list_chats has them'],
    [refusal(403, 'a key with chats has to name a chatId', 'chat_required'), 'Name the chat_id'],
    [refusal(404, 'session not found', 'session_not_found'), 'set another session'],
    [refusal(404, 'Not Found'), 'may be older than this server'],
    [refusal(400, 'chat not found', 'chat_not_found'), 'Take a chat_id of list_chats'],
    [refusal(400, 'text should not be empty', 'invalid_request'), 'Correct the arguments'],
    [refusal(500, 'session not connected', 'session_not_connected'), 'Try again in a minute'],
    [refusal(500, 'x', 'outcome_unknown'), 'Look with get_messages before you send it again'],
    [refusal(502, 'Bad Gateway'), 'The same call may work later'],
    [new GatewayUnreachable('x'), 'Try again in a moment'],
    [new TypeError('x'), 'This server failed'],
  ])('[MC1.5] %s', (error, advice) => {
    const said = adviceOn(error);
    expect(said).toContain(advice);
    if (error instanceof GatewayRefusal) expect(said.startsWith(`${error.message} (${error.status}). `)).toBe(true);
  });

  it('[MC1.5] says how long to wait', () => {
    expect(adviceOn(refusal(429, 'limit of 5 sends per day reached', 'limit_reached', 300))).toBe(
      'limit of 5 sends per day reached (429). Try again later, not at once. Wait 300 seconds before you try again.',
    );
  });

  it('[MC1.4] names the request ID of a send that may have been carried out, and of no other', () => {
    for (const open of [new GatewayUnreachable('x'), refusal(500, 'x'), refusal(503, 'x'), refusal(429, 'x')]) {
      expect(adviceOn(open, 'parcel-1')).toContain('request_id "parcel-1"');
    }
    for (const settled of [refusal(400, 'x'), refusal(401, 'x'), refusal(403, 'x')]) {
      expect(adviceOn(settled, 'parcel-1')).not.toContain('parcel-1');
    }
  });
});
