import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from '../../support/repository/imports.ts';

/**
 * The files that may read the wall clock, and what for. Everything else takes `elapsed()`: an operator or a time server
 * may set the wall clock at any moment.
 */
const readers: Readonly<Record<string, string>> = {
  'actors/runtime/deadline-timer.ts': 'how long it is to a recorded deadline',
  'actors/runtime/erasure-queue.ts': 'compares with the recorded end of a log-out',
  'actors/runtime/record-after-end.ts': 'records when',
  'actors/runtime/session-actor.ts': 'records when; compares with recorded deadlines',
  'projections/activity/activity.ts': 'compares with the times of recorded events',
  'src/cluster/members/heartbeat.ts': 'records when, for people',
  'src/cluster/leases/lease.ts': 'records when, for people',
  'src/compose/cluster/membership.ts': 'tells since when the node is there',
  'src/compose/cluster/unfinished-erasures.ts': 'compares with recorded times',
  'src/compose/compare.ts': 'the date of a report',
  'src/compose/gateway.ts': 'the age of recorded deliveries, as a metric; tells when it started',
  'src/config/clock.ts': 'is the clock; the time in a UUID',
  'src/config/line-time.ts': 'the time of a line of the log',
  'src/hop/channel/node-channels.ts': 'signs when',
  'src/hop/node-calls.ts': 'signs when',
  'src/hop/request-forwarder.ts': 'signs when',
  'src/http/access/await-takeover.ts': 'compares with the recorded time of a takeover',
  'src/http/nodes/accept-hops.ts': 'the age of a signature of another machine',
  'src/http/nodes/routes.ts': 'tells when a node was heard of',
  'src/http/keys/routes.ts': 'compares with the times at which keys expire',
  'src/http/audit/routes.ts': 'which sends are of the last 24 hours',
  'src/http/usage/routes.ts': 'which day it is; how long a session has lived',
  'src/keys/key-listeners.ts': 'how long it is to the time at which a key expires',
  'src/http/link/routes.ts': 'when a link ends, as its maker said or a day from now; whether it has ended',
  'src/links/link-book.ts': 'records when; compares with the recorded times at which links end',
  'src/links/link-sessions.ts': 'compares with the recorded times at which links end',
  'src/keys/limits/day-counter.ts': 'records when; the day whose messages are counted',
  'src/keys/key-registry.ts': 'records when; compares with the recorded times at which keys expire',
  'src/media/links/disk-cache.ts': 'a file has the time of its last opening, across a restart',
  'src/media/uploads/kept-files.ts': 'tells until when a file is kept',
  'src/messaging/idempotent-sends.ts': 'records when a send began; compares with recorded ones',
  'src/messaging/pace/pace-log.ts': 'compares with the times of recorded turns',
  'src/messaging/pace/session-pace.ts': 'records when a turn began and ended; tells when the next one is',
  'src/messaging/schedule-send.ts': 'compares with the time that the caller wants',
  'src/messaging/send-message.ts': "when a send began, to compare with the dates of Telegram's messages",
  'src/programs/commands/backup.ts': 'the date of the backup',
  'src/programs/commands/export.ts': 'the date of the export',
  'src/retention/retention.ts': 'compares with the times of recorded events',
  'src/store/events/kurrent/availability.ts': 'says since when the store is away',
  'src/store/events/sqlite/group-commit.ts': 'records when',
  'src/store/events/sqlite/write-outage.ts': 'says since when the store cannot write',
  'src/store/vault/kept-log-outs.ts': 'records until when a log-out is tried',
  'src/telegram/connection/reconnect-pause.ts': 'tells when the next attempt to connect is due',
  'src/webhook/operators/deliver-session-event.ts': 'signs with the time',
  'src/webhook/operators/operator-outbox.ts': 'records when; compares with recorded attempts',
  'src/webhook/operators/operator-webhook-book.ts': 'records when',
  'src/webhook/operators/place-saver.ts': 'records when',
  'src/webhook/operators/session-lanes.ts': 'tells when an attempt is due; compares with recorded ones',
  'src/webhook/readers/open-readers.ts': 'when a reader left that was connected to an earlier process',
  'src/webhook/readers/follow-reader.ts': 'tells when something that is not recorded arrived',
  'src/webhook/record/followed-places.ts': 'records when',
  'src/webhook/record/record-session-event.ts': 'records when',
  'src/telegram/gramjs/chats/chat-reading.ts': 'whether a mute that ends is over',
  'src/telegram/gramjs/compare/run-steps.ts': 'whether the dates in an answer are past, now or to come',
  'src/telegram/gramjs/connection/mtproto-connection.ts': "converts the times of Telegram's clock",
  'src/telegram/gramjs/login/qr-login.ts': 'how long it is to the expiry that Telegram tells',
  'src/telegram/gramjs/sending/post-story.ts': 'dates a story of which Telegram gives the ID alone',
  'src/telegram/gramjs/updates/resolve-updates.ts': 'whether a reaction is so new that a push is about it',
  'src/telegram/proxy/tls-disguise.ts': 'the proxy compares it with its own, as the TLS disguise has it',
  'src/usage/sum-days.ts': 'which days are over; records when it sums them',
  'src/usage/usage-recorder.ts': 'records when',
  'src/webhook/deliver/attempt.ts': 'dates and signs a request; reads the date of a Retry-After',
  'src/webhook/deliver/chat-queues.ts': 'how long it is to a recorded attempt',
  'src/webhook/deliver/outbox.ts': 'records when an attempt was made, and when the next one is due',
  'src/webhook/deliver/send-test.ts': 'dates a test event',
  'src/webhook/deliver/settle-delivery.ts': 'is given when an attempt was made, to record it',
  'src/webhook/readers/reader-book.ts': 'records when a reader left; compares with the recorded time',
  'src/webhook/record/record-updates.ts': 'records when',
  'src/webhook/stream/stored-progress.ts': 'records when',
};

/** `clock.now()`, `Date.now`, `new Date()`, and `.now` handed on; not `performance.now()`, which is never set. */
const reading = /(?<!performance)\.now\b|\bnew Date\(\)/;
/** A clock handed to code that is not ours reads the wall clock unseen. */
const hidden = /\bperf: (?:this\.#?)?\w*clock\b/i;
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(line);

it('[OP8.1] the wall clock is read where a recorded or a told time is meant, and nowhere else', () => {
  const found = sourceFiles(['actors', 'projections', 'src']).filter((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => !isComment(line) && (reading.test(line) || hidden.test(line))),
  );
  expect(found.toSorted()).toEqual(Object.keys(readers).toSorted());
});

it('[OP8.1] every reading of the wall clock is found', () => {
  const readings = ['const at = clock.now();', 'Date.now()', 'make(Date.now, draws)', 'new Date()'];
  expect(readings.filter((line) => reading.test(line))).toEqual(readings);
  expect(hidden.test('      perf: this.#clock,')).toBe(true);
  expect(['performance.now()', 'clock.elapsed()', 'new Date(at)'].filter((line) => reading.test(line))).toEqual([]);
});
