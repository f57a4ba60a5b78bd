/** Tests that `TEST_NODES=2` skips (docs/testing.md), and why. */

export interface ApartTest {
  /** In `test/e2e`. */
  file: string;
  /** How the title begins behind its promises, as the source has it. Empty: all tests of the file. */
  title: string;
  /**
   * - `one process`: it looks into the one process or at its folder, or counts what each process does for itself
   * - `not in the older version`: it is about what the node of `TEST_OTHER_BUILD` does not have
   */
  reason: 'one process' | 'not in the older version';
}

/** A test of the unit suite holds that each stands for a test. */
export const apartTests: readonly ApartTest[] = [
  // Each node counts the wrong ones that it was sent.
  { file: 'http/http.test.ts', title: 'many wrong ones of one address', reason: 'one process' },
  // Each node logs a request, the one that passes it on too.
  { file: 'clients/mcp/operators-view.test.ts', title: 'each call of a tool is a line', reason: 'one process' },
  // Each node has metrics, and room for files under way, of its own.
  { file: 'operation/metrics.test.ts', title: 'a gateway counts what it does', reason: 'one process' },
  { file: 'operation/metrics.test.ts', title: 'a gateway shows what its webhooks', reason: 'one process' },
  { file: 'message/files-under-way.test.ts', title: 'take MEDIA_TEMP_BYTES together', reason: 'one process' },
  // Each node warns of the logins that it was refused.
  { file: 'session/refused-logins.test.ts', title: '', reason: 'one process' },
  // Two nodes need time to pass while they close, so it is not the test that lets it.
  { file: 'operation/drain.test.ts', title: '', reason: 'one process' },
  // Two nodes have started when both have their share, and the one stops what the other goes on with.
  { file: 'operation/store-outage.test.ts', title: 'waits for an event store that is away', reason: 'one process' },
  // The places of 64 partitions in the log are written for the first time in the same moment.
  { file: 'operation/lost-store.test.ts', title: 'a KurrentDB that comes back empty', reason: 'one process' },
  // A session of several nodes has another owner after a restart, and time passes until then.
  { file: 'session/proxy.test.ts', title: 'says that the proxy is why', reason: 'one process' },
  { file: 'webhook/deliveries.test.ts', title: 'says what waits and why', reason: 'one process' },
  { file: 'webhook/session-events.test.ts', title: 'a reader is told of the session between', reason: 'one process' },
  { file: 'webhook/groups.test.ts', title: 'is what came in between', reason: 'one process' },
  // Their minutes pass faster than the nodes renew their leases.
  { file: 'message/message.test.ts', title: 'a passing fault of Telegram', reason: 'one process' },
  { file: 'message/send-while-fetching.test.ts', title: 'cut off at 240 s between two parts', reason: 'one process' },
  // Nine days of renewals take minutes.
  { file: 'session/customer-links.test.ts', title: 'is listed without its token', reason: 'one process' },
  // `GET /session/sends`
  {
    file: 'clients/mcp/operators-view.test.ts',
    title: 'what an agent sends',
    reason: 'not in the older version',
  },
  {
    file: 'keys/keys.test.ts',
    title: 'tells who sent',
    reason: 'not in the older version',
  },
  // A node takes no session string while another one does not say which logins it has (CL5.8).
  { file: 'session/import-login.test.ts', title: '', reason: 'not in the older version' },
  // A topic beside a channel or a person.
  { file: 'chat/topics.test.ts', title: 'is ignored beside a channel', reason: 'not in the older version' },
  // Its sessions leave it before it would cancel.
  { file: 'typing/typing.test.ts', title: 'ends where the gateway does', reason: 'not in the older version' },
  // Keys with `chats`.
  { file: 'clients/mcp/bounded-key.test.ts', title: '', reason: 'not in the older version' },
  { file: 'keys/chats.test.ts', title: '', reason: 'not in the older version' },
  { file: 'keys/chat-readers.test.ts', title: '', reason: 'not in the older version' },
  // The code of what a limit refuses.
  { file: 'keys/limits.test.ts', title: 'messages of every kind count', reason: 'not in the older version' },
];
