import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../../src/telegram/compare/answer-shape.ts';
import { differencesOf, type Outcome } from '../../../../src/telegram/compare/differences.ts';
import { comparisonReport } from '../../../../src/telegram/compare/report.ts';

const now = 1_800_000_000;
const message = (id: number, more: object = {}) => ({ className: 'Message', id, message: 'secret', ...more });
const answer = (value: unknown): Outcome => ({ kind: 'answer', shape: shapeOf(value, now) });
const differences = (telegram: unknown, sandbox: unknown) => differencesOf(answer(telegram), answer(sandbox));

describe('the shape of an answer', () => {
  it('has constructors, fields, the order of lists and the times of dates, and no values', () => {
    const shape = shapeOf(
      {
        className: 'messages.Messages',
        flags: 1,
        silent: false,
        missing: undefined,
        messages: [message(7, { date: now - 20 }), message(5, { out: true, date: now - 86_400 })],
      },
      now,
    );
    expect(shape).toEqual([
      { path: '', constructor: 'messages.Messages', always: ['messages'], sometimes: [], times: {}, order: undefined },
      {
        path: 'messages[]',
        constructor: 'Message',
        always: ['date', 'id', 'message'],
        sometimes: ['out'],
        times: { date: 'mixed' },
        order: 'falling',
      },
    ]);
    expect(JSON.stringify(shape)).not.toContain('secret');
    expect(shapeOf(true, now)).toMatchObject([{ constructor: 'true' }]);
  });
});

describe('differences', () => {
  const user = { className: 'User', id: 1, photo: { className: 'Photo', size: { className: 'Size' } } };

  it('of fields, of constructors and of lists are each told once', () => {
    expect(differences({ ...user, bot: true }, user)).toEqual([
      'the answer: User has bot always at Telegram, never in the sandbox',
    ]);
    expect(differences(user, { ...user, photo: undefined })).toEqual([
      'the answer: User has photo always at Telegram, never in the sandbox',
    ]);
    expect(differences(user, { ...user, photo: { className: 'PhotoEmpty' } })).toEqual([
      'photo: Photo at Telegram, PhotoEmpty in the sandbox',
    ]);
    const service = { className: 'MessageService', id: 9 };
    expect(
      differences({ className: 'L', list: [message(1), service] }, { className: 'L', list: [message(1)] }),
    ).toEqual(['list[]: Message and MessageService at Telegram, Message in the sandbox']);
    expect(differences({ className: 'L', list: [] }, { className: 'L', list: [message(1)] })).toEqual([
      'list[]: nothing at Telegram, Message in the sandbox',
    ]);
  });

  it('inside of what is equal are told too', () => {
    const other = { ...user, photo: { className: 'Photo', size: { className: 'SizeEmpty' } } };
    expect(differences(user, other)).toEqual(['photo.size: Size at Telegram, SizeEmpty in the sandbox']);
    expect(differences(user, { ...user, photo: { className: 'Photo', size: { className: 'Size', w: 1 } } })).toEqual([
      'photo.size: Size has w never at Telegram, always in the sandbox',
    ]);
  });

  it('of orders, times and errors are told', () => {
    const list = (...ids: number[]) => ({ className: 'L', list: ids.map((id) => message(id)) });
    expect(differences(list(1, 2), list(2, 1))).toEqual([
      'list[]: the IDs are rising at Telegram, falling in the sandbox',
    ]);
    expect(differences(list(1), list(2, 1))).toEqual([]);
    expect(differences({ className: 'S', date: now }, { className: 'S', date: now + 1_000 })).toEqual([
      'the answer: date is now at Telegram, future in the sandbox',
    ]);
    const refused: Outcome = { kind: 'error', name: '400 X_INVALID' };
    expect(differencesOf(refused, refused)).toEqual([]);
    expect(differencesOf(refused, answer(true))).toEqual(['400 X_INVALID at Telegram, true in the sandbox']);
  });
});

it('the report has a row for each step, and its differences', () => {
  const step = (outcome: Outcome, ms: number) => [{ name: 'oneself', call: 'users.GetUsers', outcome, ms }];
  const report = comparisonReport(step(answer([message(1)]), 31.4), step({ kind: 'skipped' }, 0), {
    layer: 198,
    madeAt: new Date(now * 1_000),
  });
  expect(report).toContain('Layer 198, 2027-01-15. 1 calls, 1 differences.');
  expect(report).toContain('| oneself | `users.GetUsers` | Message in a list | skipped | 31 | 0 | 1 |');
  expect(report).toContain('- oneself: Message in a list at Telegram, skipped in the sandbox');
});
