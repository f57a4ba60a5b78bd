import { expect, it } from 'vitest';
import { mimeTypeOf, nameFromUrl, tidyName } from '../../../../src/media/outgoing/file-name.ts';

it.each([
  ['https://a.test/b/film.mp4?x=y.mp3#z', 'film.mp4'],
  ['https://a.test/%D1%84%D0%B8%D0%BB%D1%8C%D0%BC.mov', 'фильм.mov'],
  ['https://a.test/映画.webm', '映画.webm'],
  ['https://a.test/100%.mp4', '100%.mp4'],
  ['https://a.test/..%2f..%2fetc%2fpasswd.mp4', '.._.._etc_passwd.mp4'],
  ['https://a.test/watch?v=1', 'video.mp4'],
  ['https://a.test/', 'video.mp4'],
  ['https://a.test/.mp4', 'video.mp4'],
  ['nonsense', 'video.mp4'],
])('[MS5.1] the name of %s is %s', (url, expected) => {
  expect(nameFromUrl(url, 'video', 'video/mp4')).toBe(expected);
});

it('[MS5.1] music without a name is called by its kind', () => {
  expect(nameFromUrl('https://a.test/', 'audio', 'AUDIO/MPEG')).toBe('audio.mp3');
  expect(nameFromUrl('https://a.test/', 'audio', 'audio/unheard-of')).toBe('audio');
});

it.each([
  ['a/b\\c.txt', 'a_b_c.txt'],
  ['line\nfeed\u0000.txt', 'line_feed_.txt'],
  ['  spaces.txt  ', 'spaces.txt'],
  ['e\u0301té.pdf', 'e\u0301té.pdf'],
  ['report\u202Efdp.exe', 'report_fdp.exe'],
  ['\u2066a\u2069\u200F.pdf', '_a__.pdf'],
  // Joiners belong to emojis and to names in Persian.
  ['👩\u200D💻 نامه\u200Cها.pdf', '👩\u200D💻 نامه\u200Cها.pdf'],
])('[MS5.1] %j is tidied to %j', (name, expected) => {
  expect(tidyName(name)).toBe(expected);
});

it('[MS5.1] a name has 255 characters at the most, none of them cut in two', () => {
  expect(tidyName('🎉'.repeat(300))).toBe('🎉'.repeat(255));
});

it.each([
  ['report.pdf', 'application/octet-stream', 'application/pdf'],
  ['REPORT.PDF', 'text/plain', 'application/pdf'],
  ['photo.jpg', 'text/plain', 'image/jpeg'],
  ['data.unheard-of', 'application/x-own', 'application/x-own'],
  ['pdf', 'text/plain', 'text/plain'],
])('[MS5.1] %s that is said to be %s is %s', (name, given, expected) => {
  expect(mimeTypeOf(name, given)).toBe(expected);
});
