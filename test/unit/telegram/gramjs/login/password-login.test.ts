import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { submitPassword } from '../../../../../src/telegram/gramjs/login/password-login.ts';
import { createDrivenClock, createSeededRandomness } from '../../../../support/kit/clock.ts';

const random = createSeededRandomness(1, createDrivenClock());

/** An account whose password has been taken away. */
const withoutPassword = (async (request: Api.AnyRequest) => {
  if (!(request instanceof Api.account.GetPassword)) throw new Error(`asked for ${request.className}`);
  return { hasPassword: false };
}) as unknown as RpcCall;

const submit = (isLoggedIn: boolean) =>
  submitPassword(withoutPassword, random, 'hunter2', async () => isLoggedIn, new AbortController().signal);

describe('a password of an account that has none any more', () => {
  it('[SE10.2] counts if the login is complete: the answer to an earlier try was lost', async () => {
    expect(await submit(true)).toBe('accepted');
  });

  it('[SE9.1] is of no use if it is not: the login is lost, and says why', async () => {
    await expect(submit(false)).rejects.toMatchObject({ reason: 'PASSWORD_REMOVED' });
  });
});
