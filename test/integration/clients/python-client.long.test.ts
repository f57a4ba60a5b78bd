import { beforeAll, describe, expect, it } from 'vitest';
import { qrPng } from '../../../src/http/session/qr-image.ts';
import { signDelivery } from '../../../src/webhook/deliver/sign-delivery.ts';
import { pythonWith, runPython, startPython } from '../../support/clients/python.ts';

const python = pythonWith() ?? '';

describe.skipIf(python === '')('the tests of the Python client itself', () => {
  let output = '';
  beforeAll(async () => {
    const tests = startPython(python, ['-m', 'unittest', '--verbose']);
    await tests.ended;
    output = tests.output();
  });

  it.each([
    ['[PY1.1] send, keep and lose connections', 'test_transports'],
    ['[PY1.2] compare types and methods with the documents', 'test_generated'],
    ['[PY1.3] [PY1.4] repeat what may be repeated, and raise the rest', 'test_calls'],
    ['[PY1.5] wait for logins', 'test_login'],
    ['[PY1.5] show QR codes as text and link', 'test_qr'],
    ['[PY1.6] [PY1.7] verify webhooks, and hand each event to the program once', 'test_webhooks'],
    ['[PY1.8] go on where a stream ended', 'test_streams'],
  ])('%s', (_what, module) => {
    const results = output.split('\n').filter((line) => line.includes(`(tests.${module}.`) && line.includes(' ... '));
    expect(results.filter((line) => line.endsWith(' ... ok')).length).toBeGreaterThan(3);
    expect(results.filter((line) => !/ \.\.\. (?:ok|skipped .*)$/.test(line))).toEqual([]);
  });

  it('[PY1.1] have all passed', () => {
    expect(output).toMatch(/^Ran \d{3,} tests in .*\n\nOK/m);
  });
});

describe.skipIf(python === '')('the Python client', () => {
  it('[PY1.5] reads the link of every QR code that the gateway makes', async () => {
    const links = Array.from({ length: 20 }, (_, index) => `tg://login?token=${'aB_-9z'.repeat(64).slice(index * 11)}`);
    const codes = links.map((link) => qrPng(link).toString('base64'));
    const program = [
      'import json',
      'from telegram_gateway import Qr',
      'print(json.dumps([Qr(code).link for code in json.loads(input())]))',
    ];
    const read = await runPython(python, ['-c', program.join('\n')], {}, JSON.stringify(codes));
    expect(JSON.parse(read)).toEqual(links);
  });

  it('[PY1.6] verifies what the gateway signs', async () => {
    const body = JSON.stringify({ id: 'e-1', type: 'message', data: { text: 'Grüße' } });
    const tokens = ['secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_no base64'];
    const given = tokens.map((token) => ({ token, body, headers: signDelivery(token, 'e-1', Date.now(), body) }));
    const program = [
      'import json',
      'from telegram_gateway.webhooks import verify',
      'for one in json.loads(input()):',
      '    print(verify(one["token"], one["headers"], one["body"].encode())["data"]["text"])',
    ];
    expect(await runPython(python, ['-c', program.join('\n')], {}, JSON.stringify(given))).toBe('Grüße\n'.repeat(3));
  });
});
