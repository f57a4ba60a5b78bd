import { minVersion, satisfies, valid } from 'semver';
import { describe, expect, it } from 'vitest';
import {
  engines,
  installed,
  isForPromisedPlatforms,
  isPlatformPackage,
  optionalDependencies,
} from '../../support/repository/package-lock.ts';

describe('package-lock.json', () => {
  it('[PK1.1] has an entry for every optional package of every package', () => {
    const missing = optionalDependencies
      .filter(({ range, found }) => !satisfies(found?.version ?? '', range))
      .map(({ from, name, range }) => `${name}@${range}, of ${from}`);
    expect(missing).toEqual([]);
    expect(optionalDependencies.length).toBeGreaterThan(150);
  });

  it('[PK1.1] has the platforms of each optional package', () => {
    const anywhere = optionalDependencies.filter(({ found }) => !isPlatformPackage(found)).map(({ name }) => name);
    // Plain JavaScript; `bufferutil` and `utf-8-validate` bring binaries of all platforms along.
    const known = ['@colors/colors', 'bufferutil', 'jsonpath-plus', 'lodash.topath', 'utf-8-validate'];
    expect(anywhere.toSorted()).toEqual(known);
  });

  it('[PK1.1] has the C library of each binary for musl', () => {
    // npm 10 drops `libc` from a lock that it writes; then the binaries of both C libraries are installed.
    // libsql and KurrentDB's client do without that field.
    const withoutField = optionalDependencies
      .filter(({ name }) => name.includes('musl') && !/^@(libsql|kurrent)\//.test(name))
      .filter(({ found = {} }) => isForPromisedPlatforms(found) && found.libc?.join() !== 'musl');
    expect(withoutField).toEqual([]);
  });

  it('[PK1.1] has version and checksum of every package, and no registry', () => {
    const loose = installed.filter(
      ([, { version, integrity }]) => !valid(version) || !integrity?.startsWith('sha512-'),
    );
    expect(loose.map(([place]) => place)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
  });

  it.each(['20.19.0', minVersion(engines.node)?.version ?? '', '24.0.0'])(
    '[PK2.1] installs only packages that accept Node %s',
    (version) => {
      const refusing = installed
        .filter(([, entry]) => entry.optional !== true || isForPromisedPlatforms(entry))
        .filter(([, entry]) => !satisfies(version, entry.engines?.node ?? '*'));
      expect(refusing.map(([place]) => place)).toEqual([]);
    },
  );
});
