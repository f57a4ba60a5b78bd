import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../actors/ports/log.ts';
import { LoginRefusals } from '../../../../src/telegram/login/login-refusals.ts';
import { describeRefusal, loginRefusal } from '../../../../src/telegram/login/login-refused.ts';
import { isFrozen, TelegramError } from '../../../../src/telegram/port/errors.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

const error = (code: number, name: string): TelegramError => new TelegramError(code, name, 'auth.ExportLoginToken');

describe('a refusal of all logins', () => {
  it('[SE15.1] is told with what the operator can do', () => {
    expect(describeRefusal('API_ID_INVALID')).toBe(
      'API_ID_INVALID (TELEGRAM_API_ID and TELEGRAM_API_HASH are not those of an application at https://my.telegram.org/apps)',
    );
    expect(describeRefusal('FLOOD_WAIT_90')).toBe(
      'FLOOD_WAIT_90 (Telegram asks to wait that many seconds before the next login)',
    );
  });

  it.each([
    [error(400, 'API_ID_INVALID'), 'API_ID_INVALID'],
    [error(406, 'UPDATE_APP_TO_LOGIN'), 'UPDATE_APP_TO_LOGIN'],
    [error(420, 'FLOOD_WAIT_60'), 'FLOOD_WAIT_60'],
    [error(420, 'FLOOD_WAIT_59'), undefined],
    [error(500, 'INTERNAL'), undefined],
    [new Error('API_ID_INVALID'), undefined],
  ])('[SE15.1] is known by its error: %s', (given, reason) => {
    expect(loginRefusal(given)).toBe(reason);
  });

  it('[SE15.1] warns until Telegram answers otherwise, or until its wait is over', async () => {
    const clock = createDrivenClock();
    const refusals = new LoginRefusals(silentLog, clock);
    expect(refusals.warnings).toEqual([]);
    refusals.note('API_ID_INVALID');
    await clock.advance(86_400_000);
    expect(refusals.warnings).toEqual([`telegram refuses logins: ${describeRefusal('API_ID_INVALID')}`]);
    refusals.note(undefined);
    expect(refusals.warnings).toEqual([]);
    refusals.note('FLOOD_WAIT_90');
    await clock.advance(89_999);
    expect(refusals.warnings).toHaveLength(1);
    await clock.advance(1);
    expect(refusals.warnings).toEqual([]);
  });
});

it('[SE15.1] a refusal is logged with the session that asked, and its end is not', () => {
  const lines: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void lines.push(fields) };
  const refusals = new LoginRefusals(log, createDrivenClock());
  refusals.note(undefined, 's1');
  refusals.note('API_ID_INVALID', 's1');
  refusals.note(undefined, 's1');
  expect(lines).toMatchObject([{ where: 'telegram', session: 's1', reason: 'API_ID_INVALID' }]);
});

it('[ER3.6] a frozen account is known by the name of its error', () => {
  expect([error(420, 'FROZEN_METHOD_INVALID'), error(420, 'OTHER'), new Error('x')].map(isFrozen)).toEqual([
    true,
    false,
    false,
  ]);
});
