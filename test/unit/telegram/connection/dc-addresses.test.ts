import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressFile } from '../../../../src/telegram/connection/address-file.ts';
import { DcAddresses } from '../../../../src/telegram/connection/dc-addresses.ts';
import type { DcAddress } from '../../../../src/telegram/connection/network.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { createTemporaryFolder } from '../../../support/kit/temporary-folder.ts';

const builtIn: DcAddress[] = [{ id: 2, host: '10.0.0.1', port: 443 }];
const fixed = (host: string, port: number): DcAddress => ({ id: 2, host, port, onlyThisPort: true });

/** The addresses in the order in which they are tried, `count` of them. */
function tried(addresses: DcAddresses, count: number): string[] {
  return Array.from({ length: count }, () => {
    const address = addresses.current(2);
    if (address === undefined) return '';
    addresses.failed(address);
    return `${address.host}:${address.port}`;
  });
}

describe('the addresses of a data centre', () => {
  it('[SE14.2] are tried in turn: as told, as built in, then on other ports', () => {
    const addresses = new DcAddresses(createDrivenClock(), builtIn);
    addresses.tell([fixed('10.0.0.2', 8443), { id: 2, host: '2001:db8::2', port: 443 }]);
    expect(tried(addresses, 8)).toEqual([
      // The one in use stays until it fails.
      '10.0.0.1:443',
      '2001:db8::2:80',
      '2001:db8::2:5222',
      '10.0.0.1:80',
      '10.0.0.1:5222',
      '10.0.0.2:8443',
      '2001:db8::2:443',
      '10.0.0.1:443',
    ]);
  });

  it('[SE14.2] are followed by the next only once, however many connections fail at one', () => {
    const addresses = new DcAddresses(createDrivenClock(), [fixed('a', 1), fixed('b', 1), fixed('c', 1)]);
    const first = addresses.current(2) as DcAddress;
    addresses.failed(first);
    addresses.failed(first);
    expect(addresses.current(2)).toMatchObject({ host: 'b' });
  });

  it('[SE14.2] are tried in turn with the last one that worked', () => {
    const names = ['a', 'b', 'c', 'd'];
    const all = names.map((host) => fixed(host, 1));
    const addresses = new DcAddresses(createDrivenClock(), all);
    expect(tried(addresses, 1)).toEqual(['a:1']);
    addresses.worked(addresses.current(2) as DcAddress);
    expect(tried(addresses, 8)).toEqual(['b:1', 'c:1', 'b:1', 'd:1', 'b:1', 'a:1', 'b:1', 'c:1']);
    // Telegram answers at another one meanwhile: that one stays.
    addresses.worked(all[3] as DcAddress);
    expect(tried(addresses, 3)).toEqual(['d:1', 'a:1', 'd:1']);
    addresses.tell([fixed('e', 1), ...all]);
    expect(tried(addresses, 4)).toEqual(['b:1', 'd:1', 'c:1', 'd:1']);
  });

  it('[SE14.3] are lost when all have failed for 10 s, and then found every 20 s', async () => {
    const clock = createDrivenClock();
    const addresses = new DcAddresses(clock, [fixed('a', 1), fixed('b', 1)]);
    tried(addresses, 2);
    await clock.advance(9_999);
    expect(addresses.takeTurnToFind(2)).toBe(false);
    await clock.advance(1);
    expect([addresses.takeTurnToFind(2), addresses.takeTurnToFind(2)]).toEqual([true, false]);
    await clock.advance(20_000);
    expect(addresses.takeTurnToFind(2)).toBe(true);
    addresses.worked(addresses.current(2) as DcAddress);
    await clock.advance(60_000);
    expect(addresses.takeTurnToFind(2)).toBe(false);
    expect(addresses.takeTurnToFind(7)).toBe(true);
  });

  it('[SE14.2] are asked for once an hour', async () => {
    const clock = createDrivenClock();
    const addresses = new DcAddresses(clock, builtIn);
    expect([addresses.takeTurnToAsk(), addresses.takeTurnToAsk()]).toEqual([true, false]);
    await clock.advance(3_600_000);
    expect(addresses.takeTurnToAsk()).toBe(true);
  });

  it('[SE14.2] are kept in a file, for the network that told them', async () => {
    const folder = await createTemporaryFolder();
    const path = join(folder.path, 'dc-addresses.json');
    const clock = createDrivenClock();
    new DcAddresses(clock, builtIn, addressFile(path, builtIn)).tell([fixed('10.0.0.9', 5000)]);
    const again = new DcAddresses(clock, builtIn, addressFile(path, builtIn));
    expect(again.current(2)).toEqual(fixed('10.0.0.9', 5000));
    const others: DcAddress[] = [{ id: 2, host: '10.1.1.1', port: 443 }];
    expect(new DcAddresses(clock, others, addressFile(path, others)).current(2)).toEqual(others[0]);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -9));
    expect(new DcAddresses(clock, builtIn, addressFile(path, builtIn)).current(2)).toEqual(builtIn[0]);
    await folder.remove();
  });
});
