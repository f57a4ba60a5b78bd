/** Seeds that once broke a rule, by what they found. They run first, always. */
export const pinnedSeeds: { name: string; seed: number }[] = [
  { name: 'a creation that is recorded but not answered yet was shown as unknown', seed: 2 },
  { name: 'a command found a session whose creation was still in doubt', seed: 74 },
  { name: 'a process that was stopped while it started took what it had not seen for unknown', seed: 22 },
  { name: 'a session that was created and deleted during a slow start rose again from an old record', seed: 855 },
  { name: 'a creation behind which another node wrote was discarded', seed: 1062 },
];
