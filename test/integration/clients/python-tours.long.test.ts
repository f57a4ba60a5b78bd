import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/clients/free-port.ts';
import {
  type PythonProgram,
  pythonWith,
  runWithSession,
  sessionOfAnn,
  startPython,
} from '../../support/clients/python.ts';
import { useKilling } from '../../support/crash/killing.ts';
import { ann } from '../../support/crash/writing-people.ts';
import type { PreparedStart } from '../../support/gateway/built-program.ts';

/** The examples of the Python client, with the built program, which is killed, and a sandbox. */

const bob = '1002';
const port = String(await freePort());
const killing = useKilling(() => ({ PORT: port, ALLOW_PRIVATE_URLS: 'true' }));
const python = pythonWith() ?? '';
const withHttpx = pythonWith('httpx') ?? '';

let gateway: PreparedStart | undefined;
const programs = new Set<PythonProgram>();
afterEach(async () => {
  const running = gateway;
  gateway = undefined;
  await Promise.all([...programs].map((one) => one.end('SIGKILL')));
  programs.clear();
  if (running !== undefined) await killing.kill(running);
});

async function startGateway(): Promise<string> {
  gateway = killing.prepare();
  return gateway.run();
}

async function restartGateway(): Promise<void> {
  if (gateway !== undefined) await killing.kill(gateway);
  await startGateway();
}

function start(interpreter: string, args: string[], variables: Record<string, string>): PythonProgram {
  const program = startPython(interpreter, args, variables);
  programs.add(program);
  return program;
}

describe.each([
  { http: 'stdlib', interpreter: python },
  { http: 'httpx', interpreter: withHttpx },
])('the tour with $http', ({ http, interpreter }) => {
  it.skipIf(interpreter === '').each(['tour.py', 'tour_async.py'])(
    '[PY1.12] [PY1.5] %s logs in by the QR code, sends, and goes on after a crash',
    async (file) => {
      const url = await startGateway();
      const variables = { GATEWAY: url, SANDBOX: killing.sandbox.url, HTTP: http };
      const tour = start(interpreter, [`examples/${file}`], variables);
      await tour.line(/^connected as Ann Lee, \+15550000001$/m);
      await tour.line(/^message \d+ is there: Hello Bob$/m);
      await tour.line(/press return: /);
      await restartGateway();
      tour.type('');
      expect({ code: await tour.ended, output: tour.output() }).toMatchObject({ code: 0 });
      expect(tour.output()).toContain('connected again as Ann Lee');
      // The QR code, as text: lines of blocks with the light margin around them.
      expect(tour.output()).toMatch(/^█{20,}$/m);
    },
  );
});

describe.skipIf(python === '')('a session', () => {
  const write = (text: string): Promise<unknown> =>
    killing.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text });

  it('[PY1.7] the receiver gets each message once, also those that came while it was away', async () => {
    const url = await startGateway();
    const variables = await sessionOfAnn(python, url, killing.sandbox.url);
    const receiverPort = String(await freePort());
    const receive = (): PythonProgram =>
      start(python, ['examples/receiver.py'], { TOKEN: 'secret', PORT: receiverPort });
    let receiver = receive();
    await receiver.line(/^listening on \d+$/m);
    const set = `session.set_webhook(url="http://127.0.0.1:${receiverPort}/", token="secret")`;
    await runWithSession(python, variables, set);
    await write('one');
    await receiver.line(/^Bob Stone "one"$/m);
    // What it has handled is its own once the answer is in the gateway's log: killed before, it would get it again.
    const settled = 'import time\nwhile session.get_webhook()["pending"]:\n    time.sleep(0.1)';
    await runWithSession(python, variables, settled);
    expect(await receiver.end('SIGKILL')).toBeNull();
    await write('two');
    const wait = [
      'import time',
      'state = session.get_webhook()',
      'while not state["nextAttempt"]:',
      '    time.sleep(0.1)',
      '    state = session.get_webhook()',
      'print(state["pending"])',
    ];
    expect(await runWithSession(python, variables, wait.join('\n'))).toBe('1\n');
    receiver = receive();
    await receiver.line(/^Bob Stone "two"$/m);
    await write('three');
    await receiver.line(/^Bob Stone "three"$/m);
    expect(receiver.output().match(/^Bob Stone .*$/gm)).toEqual(['Bob Stone "two"', 'Bob Stone "three"']);
    // A stranger's request reaches no one.
    const strange = await fetch(`http://127.0.0.1:${receiverPort}/`, { method: 'POST', body: '{"id":"1"}' });
    expect(strange.status).toBe(400);
    await runWithSession(python, variables, 'session.set_webhook(url="", token="")');
  });

  it('[PY1.10] lists are read over all their pages', async () => {
    const url = await startGateway();
    const variables = await sessionOfAnn(python, url, killing.sandbox.url);
    const path = `/accounts/${ann}/messages?peer=${bob}&limit=1000`;
    const seen = (await killing.sandbox.call<{ id: number }[]>('GET', path)).map(({ id }) => String(id));
    expect(seen.length).toBeGreaterThan(5);
    const messages = `print(json.dumps([one["id"] for one in session.iter_messages("${bob}", limit=2)]))`;
    expect(JSON.parse(await runWithSession(python, variables, messages))).toEqual(seen);
    const events = 'print(json.dumps([one["seq"] for one in session.iter_events(limit=1)]))';
    const numbers = JSON.parse(await runWithSession(python, variables, events)) as number[];
    expect(numbers.length).toBeGreaterThan(2);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const chats =
      'import asyncio\nfrom telegram_gateway import AsyncGateway\n' +
      'async def main():\n' +
      '    async with AsyncGateway(os.environ["GATEWAY"]) as gateway:\n' +
      '        own = gateway.session(known["id"], known["session-id"])\n' +
      '        pages = [one["id"] async for one in own.iter_chats(limit=1)]\n' +
      '        whole = await own.list_chats(limit=100)\n' +
      '        print(sorted(pages) == sorted(one["id"] for one in whole["docs"]), len(pages) > 2)\n' +
      'asyncio.run(main())';
    expect(await runWithSession(python, variables, chats)).toBe('True True\n');
  });
});
