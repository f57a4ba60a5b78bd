import { beforeEach, describe, expect, it } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { NotConnectedError } from '../../../../src/telegram/port/errors.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Steps of a login that `one` has begun when the session leaves it. The session is then `two`'s. */

let nodes: TwoNodes;
let headers: SessionHeaders;

beforeEach(async () => {
  nodes = await openTwoNodes();
});

const leave = async (): Promise<void> => {
  nodes.owners.set(headers.id, undefined);
  await settleNetwork();
  await nodes.one.gate.sessions.release(allPartitions);
};
const codeOf = (response: Response): unknown[] => [response.status, response.headers.get('x-error-code')];

describe('a session leaves its node while Telegram has a step of its login', () => {
  let id: string;
  /** What the links of both nodes were asked for. */
  let steps: string[];
  /** Telegram's answers to the first node. */
  let answer: { sendCode: Answer<'sent'>; submitCode: Answer<'accepted' | 'rejected'> };
  interface Answer<T> {
    promise: Promise<T>;
    resolve: (outcome: T) => void;
    reject: (error: Error) => void;
  }
  const newAnswer = <T>(): Answer<T> => {
    let settle: Pick<Answer<T>, 'resolve' | 'reject'> = { resolve: () => {}, reject: () => {} };
    const promise = new Promise<T>((resolve, reject) => {
      settle = { resolve, reject };
    });
    promise.catch(() => {});
    return { promise, ...settle };
  };
  const takeTo = async (owner: 'one' | 'two'): Promise<void> => {
    nodes.owners.set(id, owner);
    await nodes[owner].gate.sessions.take({ has: (candidate) => candidate === id, numbers: [0] });
    const link = nodes[owner].gate.links.of(id);
    link.codeRequest = async () => {
      steps.push(`sendCode at ${owner}`);
      return owner === 'one' ? answer.sendCode.promise : 'sent';
    };
    link.code = async () => {
      steps.push(`submitCode at ${owner}`);
      return owner === 'one' ? answer.submitCode.promise : 'rejected';
    };
  };
  const ask = (path: string, body: object): Promise<Response> =>
    fetch(`${nodes.one.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const sendCode = (): Promise<Response> => ask('/session/login', { phone: '4915100000001' });
  const submitCode = (): Promise<Response> => ask('/session/code', { code: '12345' });

  beforeEach(async () => {
    headers = await nodes.one.gate.session();
    ({ id } = headers);
    await nodes.one.gate.links.of(id).report(linkFact('QrIssued', 1));
    steps = [];
    answer = { sendCode: newAnswer(), submitCode: newAnswer() };
    await takeTo('one');
  });

  const comeToCode = async (): Promise<void> => {
    await nodes.one.gate.links.of(id).report(linkFact('CodeSent', 1));
  };
  const cutOff = (): Error => new NotConnectedError('the session is closing');

  it.each([
    ['sendCode', 'is cut off', () => answer.sendCode.reject(cutOff())],
    ['sendCode', 'succeeds', () => answer.sendCode.resolve('sent')],
    ['submitCode', 'is cut off', () => answer.submitCode.reject(cutOff())],
    ['submitCode', 'succeeds', () => answer.submitCode.resolve('accepted')],
    ['submitCode', 'is rejected', () => answer.submitCode.resolve('rejected')],
  ])('[CL5.25] %s, which then %s: 500 node_lost, and no other node does it again', async (step, _end, end) => {
    if (step === 'submitCode') await comeToCode();
    const asked = step === 'sendCode' ? sendCode() : submitCode();
    await settleNetwork();
    expect(steps).toEqual([`${step} at one`]);
    await leave();
    await takeTo('two');
    end();
    expect(codeOf(await whileTimePasses(nodes.clock, asked))).toEqual([500, 'node_lost']);
    expect(steps).toEqual([`${step} at one`]);
  });

  it('[CL5.25] a step that waits for the one before is done by the next owner', async () => {
    await comeToCode();
    const first = submitCode();
    await settleNetwork();
    const second = submitCode();
    await settleNetwork();
    await leave();
    answer.submitCode.reject(cutOff());
    expect(codeOf(await whileTimePasses(nodes.clock, first))).toEqual([500, 'node_lost']);
    await takeTo('two');
    expect(codeOf(await whileTimePasses(nodes.clock, second))).toEqual([400, 'invalid_code']);
    expect(steps).toEqual(['submitCode at one', 'submitCode at two']);
  });
});
