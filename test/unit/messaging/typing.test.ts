import { beforeEach, describe, expect, it } from 'vitest';
import { TypingIndicators } from '../../../src/messaging/typing.ts';
import type { Recipient } from '../../../src/recipients/recipient.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';
import { failureOf } from '../../support/kit/failure-of.ts';
import { type PlayedAccount, playAccount } from '../../support/messaging/played-account.ts';

const recipient: Recipient = { kind: 'user', by: 'id', id: '1002' };
let clock: DrivenClock;
let account: PlayedAccount | undefined;
let typing: TypingIndicators;

beforeEach(() => {
  clock = createDrivenClock();
  account = playAccount();
  typing = new TypingIndicators({ get: () => account }, clock);
});

const show = (sessionId: string, action: 'typing' | 'recording-audio'): Promise<void> =>
  typing.show(sessionId, account as PlayedAccount, recipient, { action });
const shown = (): unknown[] => account?.asked.splice(0).map(([, , action]) => action) ?? [];

describe('a typing indicator', () => {
  it('[TY1.1] is cancelled 5 s after it was last shown in its chat', async () => {
    await show('s1', 'typing');
    await clock.advance(3000);
    await show('s1', 'recording-audio');
    expect(shown()).toEqual(['typing', 'recording-audio']);
    await clock.advance(4999);
    expect(shown()).toEqual([]);
    await clock.advance(1);
    expect(shown()).toEqual(['cancel']);
    await typing.end();
    expect([shown(), clock.armed()]).toEqual([[], 0]);
  });

  it('[TY1.1] of one session is not that of another', async () => {
    await show('s1', 'typing');
    await clock.advance(3000);
    await show('s2', 'typing');
    await clock.advance(2000);
    expect(shown()).toEqual(['typing', 'typing', 'cancel']);
  });

  it('[TY1.2] that Telegram does not accept within 30 s is an error', async () => {
    account = playAccount({ showTyping: () => new Promise(() => {}) });
    let failure: unknown;
    void failureOf(show('s1', 'typing')).then((error) => {
      failure = error;
    });
    await clock.advance(29_999);
    expect(failure).toBeUndefined();
    await clock.advance(1);
    expect(failure).toMatchObject({ statusCode: 500, message: 'typing timeout after 30s' });
    expect(clock.armed()).toBe(0);
  });

  it('[TY1.1] ends by itself if its session is no longer connected', async () => {
    await show('s1', 'typing');
    account = undefined;
    await clock.advance(5000);
    await expect(typing.end()).resolves.toBeUndefined();
  });
});

describe('the end of the service', () => {
  it('[OP2.2] cancels every indicator, once', async () => {
    await show('s1', 'typing');
    await show('s2', 'typing');
    await typing.end();
    expect(shown()).toEqual(['typing', 'typing', 'cancel', 'cancel']);
    await clock.advance(60_000);
    expect(shown()).toEqual([]);
  });

  it('[OP2.2] waits no longer than a second for Telegram', async () => {
    await show('s1', 'typing');
    account = playAccount({ showTyping: () => new Promise(() => {}) });
    let ended = false;
    void typing.end().then(() => {
      ended = true;
    });
    await clock.advance(999);
    expect(ended).toBe(false);
    await clock.advance(1);
    expect(ended).toBe(true);
  });

  it('[OP2.2] does not fail if Telegram refuses', async () => {
    await show('s1', 'typing');
    account = playAccount({ showTyping: () => Promise.reject(new Error('refused')) });
    await expect(typing.end()).resolves.toBeUndefined();
  });
});
