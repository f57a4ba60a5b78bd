/** The ways to write an IPv4 address into a URL that some client or other has fallen for. */
const ipv4Spellings: readonly ((bytes: readonly number[]) => string)[] = [
  ([a, b, c, d]) => `${a}.${b}.${c}.${d}`,
  ([a, b, c, d]) => `${a}.${b}.${c}.${d}.`,
  (bytes) => String(whole(bytes)),
  (bytes) => `0x${whole(bytes).toString(16)}`,
  (bytes) => `0X${whole(bytes).toString(16).toUpperCase()}`,
  (bytes) => `0${whole(bytes).toString(8)}`,
  (bytes) => `0000${whole(bytes).toString(8)}.`,
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  (bytes) => bytes.map((byte) => `000${byte.toString(8)}`).join('.'),
  ([a = 0, b = 0, c = 0, d]) => `${a}.0x${b.toString(16)}.0${c.toString(8)}.${d}`,
  ([a, b, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b = 0, c = 0, d = 0]) => `${a}.${(b * 256 + c) * 256 + d}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `0x${a.toString(16)}.0x${((b * 256 + c) * 256 + d).toString(16)}`,
  (bytes) => bytes.join('.').replace(/./g, fullwidth),
  (bytes) => bytes.join('。'),
  (bytes) => bytes.join('．'),
  (bytes) => bytes.join('｡'),
  (bytes) => bytes.join('%2e'),
  (bytes) => bytes.join('.').replace(/\d/g, (digit) => `%3${digit}`),
  (bytes) => bytes.join('.').replace(/[1-9]/g, (digit) => '①②③④⑤⑥⑦⑧⑨'[Number(digit) - 1] ?? ''),
  (bytes) => bytes.join('.').replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  (bytes) => bytes.join('.').replace('.', '\t.\n'),
  (bytes) => `example.com@${bytes.join('.')}`,
  (bytes) => `example.com%40example.org:443@${bytes.join('.')}`,
  (bytes) => `user:pass%2fword@${bytes.join('.')}`,
  (bytes) => `\u00ad${bytes.join('.')}`,
  (bytes) => `[::ffff:${bytes.join('.')}]`,
  (bytes) => `[::FFFF:${hextets(bytes)}]`,
  (bytes) => `[0:0:0:0:0:ffff:${hextets(bytes)}]`,
  (bytes) => `[0000:0000:0000:0000:0000:ffff:${hextets(bytes)}]`,
  (bytes) => `[::${bytes.join('.')}]`,
  (bytes) => `[::${hextets(bytes)}]`,
  (bytes) => `[::ffff:0:${bytes.join('.')}]`,
  (bytes) => `[64:ff9b::${bytes.join('.')}]`,
  (bytes) => `[64:ff9b:0:0:0:0:${hextets(bytes)}]`,
  (bytes) => `[64:ff9b:1::${bytes.join('.')}]`,
  (bytes) => `[64:ff9b:1:${hextets(bytes)}::]`,
  (bytes) => `[2002:${hextets(bytes)}::1]`,
  (bytes) => `[2001:0:4136:e378:8000:63bf:${hextets(bytes.map((byte) => 255 - byte))}]`,
  (bytes) => `[fe80::5efe:${bytes.join('.')}]`,
  (bytes) => `[fe80::5efe:${bytes.join('.')}%25eth0]`,
];

/** What must never be reached: loopback, this network, private ones, metadata services, and what is not for hosts. */
const ipv4Addresses = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.5',
  '172.16.3.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
];

const otherHosts = `
  127.1 127.255.255.254 0 0.1.2.3 10.255.255.255 172.31.255.255 192.168.255.255 100.64.0.1 100.127.255.254
  169.254.170.2 169.254.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7
  203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.175.48.1 192.31.196.1 192.52.193.1 [::]
  [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [fe80::1] [fe80::1%25lo]
  [fe80::1%lo] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [ff02::1] [ff05::2] [100::1]
  [2001:db8::1] [3fff::1] [5f00::1] [2001:2::1] [2001:10::1] [2001:20::1] [2001:3::1] [4000::1] [8000::1]
  [e000::1] [200::1] [::2] [64:ff9b:1::808:808] [2002:808:808::1] [2620:4f:8000::1]
`
  .trim()
  .split(/\s+/);

/** Whole URLs that a parser may take apart otherwise than expected. */
const oddUrls = (port: number): string[] => [
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `HtTp://127.0.0.1:${port}/`,
  ` http://127.0.0.1:${port}/ `,
  `\thttp://127.0.0.1:${port}/`,
  `ht\ntp://127.0.0.1:${port}/`,
  `http://example.com\\@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}?@example.com/`,
  `http://127.0.0.1:0${port}/`,
  `https://127.0.0.1:${port}/`,
  `https://[::1]:${port}/`,
  `https://2130706433:${port}/`,
  `http://127.0.0.1:${port}:80/`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_GET`,
  `ws://127.0.0.1:${port}/`,
  `file:///etc/passwd`,
  `file://127.0.0.1:${port}/etc/passwd`,
  `data:text/plain,x`,
  `javascript:alert(1)`,
  `unix:/var/run/docker.sock`,
  `http://unix:/var/run/docker.sock:/info`,
  `blob:http://127.0.0.1:${port}/x`,
  `jar:http://127.0.0.1:${port}!/`,
  `dict://127.0.0.1:${port}/`,
  `http://`,
  ``,
];

/** URLs that must all be refused; those for loopback would reach that port. */
export const refusedUrls = (port: number): string[] => [
  ...ipv4Addresses.flatMap((address) =>
    ipv4Spellings.map((spell) => `http://${spell(address.split('.').map(Number))}:${port}/`),
  ),
  ...otherHosts.map((host) => `http://${host}:${port}/`),
  ...oddUrls(port),
];

const whole = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

const hextets = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

const fullwidth = (sign: string): string => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0);
