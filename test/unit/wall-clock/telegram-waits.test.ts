import { Api } from 'telegram/tl/index.js';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { ConnectionGate } from '../../../src/telegram/connection/connection-gate.ts';
import { DcAddresses } from '../../../src/telegram/connection/dc-addresses.ts';
import { watchLiveness } from '../../../src/telegram/connection/liveness.ts';
import { PersistentConnection } from '../../../src/telegram/connection/persistent-connection.ts';
import { RateGate } from '../../../src/telegram/connection/rate-gate.ts';
import { GramChats } from '../../../src/telegram/gramjs/chats/chats.ts';
import { KeyDoubt } from '../../../src/telegram/gramjs/connection/key-doubt.ts';
import { KeyRefusedError } from '../../../src/telegram/gramjs/connection/mtproto-connection.ts';
import { retryRpc } from '../../../src/telegram/gramjs/connection/retry-rpc.ts';
import type { RpcCall } from '../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { StoredPosition } from '../../../src/telegram/gramjs/updates/stored-position.ts';
import { PeerCache } from '../../../src/telegram/peer-cache.ts';
import { TelegramError } from '../../../src/telegram/port/errors.ts';
import { itLastsAsLong } from '../../support/kit/wall-clock.ts';

const anyTime = new LightAbort();
const minuteMs = 60_000;
const download = 'upload.GetFile';

itLastsAsLong(
  'the pace of connections',
  ['0 open at 10 a second', '197 open at 5.2 a second', '390 open at 5.39 a second'],
  async ({ clock, note, pass, setWallClock }) => {
    const gate = new ConnectionGate(clock, 10);
    const enter = async (): Promise<void> => {
      const number = await gate.enter(anyTime);
      if (number === 1) gate.refused(number);
      note(`open at ${number === 1 ? 10 : Number(gate.perSecond.toFixed(2))} a second`);
    };
    const entered = [enter(), enter(), enter()];
    await pass(50);
    setWallClock();
    await pass(10_000);
    await Promise.all(entered);
  },
);

itLastsAsLong(
  'a wait that Telegram asked for',
  ['30000 sent', '80000 sent', '80000 sent', '90000 sent', '90000 sent'],
  async ({ clock, note, pass, setWallClock }) => {
    const gate = new RateGate(clock);
    const inFlight: (() => void)[] = [];
    const send = async (): Promise<void> => {
      note('sent');
      await new Promise<void>((resolve) => void inFlight.push(resolve));
    };
    const wait = new TelegramError(420, 'FLOOD_WAIT_30', download);
    await gate.run(download, Infinity, () => Promise.reject(wait), anyTime).catch(() => undefined);
    const first = gate.run(download, Infinity, send, anyTime);
    await pass(10_000);
    setWallClock();
    await pass(70_000);
    inFlight[0]?.();
    await first;
    // Two at a time for a minute after the wait, then as many as there are.
    for (let n = 0; n < 3; n += 1) void gate.run(download, Infinity, send, anyTime);
    await pass(10_000);
    for (let n = 0; n < 2; n += 1) void gate.run(download, Infinity, send, anyTime);
    await pass(1);
  },
);

itLastsAsLong(
  // Pings are due at quarter seconds of the clock, and this one begins between two of them.
  'the watch over a connection',
  ['14972 ping', '29972 ping', '44972 ping', '55000 dead'],
  async ({ clock, note, pass, setWallClock }) => {
    let isDeaf = false;
    const watched = {
      lastHeardAt: clock.elapsed(),
      ping: async (): Promise<void> => {
        note('ping');
        if (isDeaf) await new Promise(() => undefined);
        watched.lastHeardAt = clock.elapsed();
      },
    };
    watchLiveness(clock, watched, () => note('dead'));
    await pass(20_000);
    setWallClock();
    await pass(15_000);
    isDeaf = true;
    await pass(15_000);
    setWallClock();
    await pass(5_000);
    // It is declared dead some turns of the event loop later, in case an answer has arrived.
    for (let turns = 0; turns < 20; turns += 1) await pass(0);
  },
);

itLastsAsLong(
  'the age of a connection, after which its end is a first failure',
  ['0 open', '25000 broken', '25500 it is open again'],
  async ({ clock, random, note, pass, setWallClock }) => {
    let end: (reason: Error) => void = () => undefined;
    let refusals = 3;
    let opened = 0;
    const line = new PersistentConnection(
      { clock, random: { ...random, fraction: () => 0.5 } },
      async () => {
        if (opened > 0 && refusals-- > 0) throw new Error('refused');
        opened += 1;
        const ended = new Promise<Error>((resolve) => {
          end = resolve;
        });
        return { ended, lastHeardAt: undefined, ping: () => Promise.resolve(), close: () => end(new Error('closed')) };
      },
      { up: () => undefined, down: () => undefined, loginLost: () => undefined },
    );
    line.start();
    await pass(0);
    note('open');
    end(new Error('broken'));
    await pass(15_000);
    setWallClock();
    await pass(10_000);
    end(new Error('broken'));
    note('broken');
    await pass(500);
    note(line.current === undefined ? 'it is away' : 'it is open again');
    line.stop();
  },
);

itLastsAsLong(
  'the doubt about a key that was refused',
  ['0 doubted', '30000 doubted', '59999 doubted', '60000 believed'],
  async ({ clock, note, pass, setWallClock }) => {
    const doubt = new KeyDoubt(clock, minuteMs);
    const refuse = async (): Promise<void> => {
      const error = await doubt.judge(() => Promise.reject(new KeyRefusedError())).catch((reason: unknown) => reason);
      note(error instanceof KeyRefusedError ? 'doubted' : 'believed');
    };
    await refuse();
    await pass(30_000);
    await refuse();
    setWallClock();
    await pass(29_999);
    await refuse();
    await pass(1);
    await refuse();
  },
);

itLastsAsLong(
  'a request that is told to wait again and again',
  ['0 sent', '50000 sent', '100000 sent', '150000 sent', '200000 sent', '250000 sent', '250000 given up'],
  async ({ clock, note, pass, setWallClock }) => {
    const options = { clock, gate: new RateGate(clock), onWait: () => undefined };
    const send = (): Promise<never> => {
      note('sent');
      return Promise.reject(new TelegramError(420, 'FLOOD_WAIT_50', 'messages.SendMessage'));
    };
    retryRpc(options, 'messages.SendMessage', send, anyTime, anyTime).catch(() => note('given up'));
    await pass(120_000);
    setWallClock();
    await pass(600_000);
  },
);

itLastsAsLong(
  'what is known of the addresses of a data centre',
  [
    '0 asks for the addresses',
    '9999 waits',
    '10000 looks elsewhere',
    '29999 waits',
    '30000 looks elsewhere',
    '3600000 asks for the addresses',
  ],
  async ({ clock, note, pass, setWallClock }) => {
    const address = { id: 2, host: '127.0.0.1', port: 443, onlyThisPort: true };
    const addresses = new DcAddresses(clock, [address]);
    const look = (): void => note(addresses.takeTurnToFind(2) ? 'looks elsewhere' : 'waits');
    const ask = (): void => {
      if (addresses.takeTurnToAsk()) note('asks for the addresses');
    };
    ask();
    addresses.failed(address);
    await pass(5_000);
    setWallClock();
    await pass(4_999);
    look();
    await pass(1);
    look();
    setWallClock();
    await pass(19_999);
    look();
    await pass(1);
    look();
    await pass(3_600_000 - 30_001);
    ask();
    await pass(1);
    ask();
  },
);

itLastsAsLong(
  'the list of joined chats',
  ['0 asked', '0 asked', '10000 asked', '10000 asked'],
  async ({ clock, note, pass, setWallClock }) => {
    const call = (async () => {
      note('asked');
      return new Api.messages.Dialogs({ dialogs: [], messages: [], chats: [], users: [] });
    }) as unknown as RpcCall;
    const files = { call: () => Promise.reject(new Error('not used')) };
    const chats = new GramChats({ clock, book: new PeerCache([]), call, files, stored: () => Promise.resolve() });
    const list = (): Promise<unknown> => chats.joined(new AbortController().signal);
    await list();
    await pass(5_000);
    setWallClock();
    await pass(4_999);
    await list();
    await pass(1);
    await list();
  },
);

itLastsAsLong(
  'the age of a stored position',
  ['1799999 kept', '1800000 stored', '3599999 kept', '3600000 stored'],
  async ({ clock, note, pass, setWallClock }) => {
    const position = { pts: 1, qts: 0, date: 0, seq: 0 };
    const stored = new StoredPosition(clock, position);
    for (let pts = 2; pts <= 3; pts += 1) {
      await pass(900_000);
      setWallClock();
      await pass(899_999);
      const look = (): void => note(stored.isTooOld({ ...position, pts }) ? 'stored' : 'kept');
      look();
      await pass(1);
      look();
      stored.note({ ...position, pts });
    }
  },
);
