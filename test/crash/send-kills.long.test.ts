import { expect, it } from 'vitest';
import { type Operation, overKills, type RunningGateway, unless } from '../support/crash/killed-operations.ts';
import { killsOr, useKilling } from '../support/crash/killing.ts';
import { ann } from '../support/crash/writing-people.ts';
import { noise } from '../support/telegram/outgoing-files.ts';

/** What is sent with files under an `Idempotency-Key`, over `kill -9` of the real program. */

const kills = killsOr(20);
const bob = '1002';
const cara = '1003';
const makers = '-1003001';
const bot = '1004';

const killing = useKilling();

interface Seen {
  id: number;
  out: boolean;
  album: string | null;
  media: { kind: string } | null;
}

const messages = (peer: string): Promise<Seen[]> =>
  killing.sandbox.call('GET', `/accounts/${ann}/messages?peer=${peer}&limit=20`);

/** One second of a rising tone: WAV with 16 bits, one channel. */
function tone(): Buffer {
  const rate = 8000;
  const samples = Buffer.alloc(2 * rate);
  for (let at = 0; at < rate; at++) samples.writeInt16LE(Math.round(Math.sin((at * at) / 40_000) * 20_000), 2 * at);
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
const sound = tone().toString('base64');
const document = (source: object) => ({ name: 'report.bin', size: 1, mimetype: 'application/octet-stream', ...source });

/** A message or an album, of which the chat has to have exactly what was sent, with the IDs of the response. */
async function aSend(
  peer: string,
  receiver: object,
  content: object,
  kinds: readonly string[],
  isKept = false,
): Promise<Operation> {
  const [newest] = await messages(peer);
  return {
    method: 'POST',
    path: '/message',
    body: { ...receiver, ...content },
    faultOf: async (answer) => {
      const arrived = (await messages(peer)).filter(({ id, out }) => out && id > (newest?.id ?? 0)).toReversed();
      const { messageId, messageIds = [messageId] } = answer.body as { messageId?: string; messageIds?: string[] };
      const isRight =
        answer.status === 200 &&
        arrived.map(({ media }) => media?.kind).join() === kinds.join() &&
        new Set(arrived.map(({ album }) => album)).size === 1 &&
        arrived.map(({ id }) => String(id)).join() === messageIds.join();
      // A kept file is gone with the gateway that had it: then nothing was sent.
      const isGone = answer.body['message'] === 'file not found' && arrived.length === 0;
      return unless(isRight || (isKept && isGone), [answer, arrived]);
    },
  };
}

async function anUpload({ url, headers }: RunningGateway, round: number): Promise<string> {
  const response = await fetch(`${url}/file?name=report.bin`, {
    method: 'POST',
    headers,
    body: noise(700_000, round + 1),
  });
  return ((await response.json()) as { id: string }).id;
}

it(`[MX1.1] [MX1.6] [MX1.11] [MX1.14] albums, voices, bytes and kept files are sent once, over ${kills} kills at any moment`, async () => {
  const unanswered = await overKills(killing, {
    kills,
    longestMomentMs: 1_000,
    prepare: async (round, before) => {
      const file = await anUpload(before, round);
      const data = noise(40_000, round + 1).toString('base64');
      const items = [1, 2, 3].map((part) => ({
        type: 'document',
        document: document({ data: noise(300_000, 100 * round + part).toString('base64') }),
      }));
      return [
        await aSend(bob, { user: bob }, { type: 'album', album: { items }, text: `album ${round}` }, [
          'document',
          'document',
          'document',
        ]),
        await aSend(cara, { user: cara }, { type: 'voice', voice: { data: sound } }, ['voice']),
        await aSend(makers, { group: makers }, { type: 'document', document: document({ data }) }, ['document']),
        await aSend(bot, { user: bot }, { type: 'document', document: document({ file }) }, ['document'], true),
      ];
    },
  });
  expect(unanswered).toBeGreaterThan(kills / 2);
});
