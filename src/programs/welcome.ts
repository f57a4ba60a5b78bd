export interface WelcomeFacts {
  /** Where HTTP answers. */
  url: string;
  /** Process ID: what `kill` is given. */
  pid: number;
  dataDir: string;
  /** The phone page, if a sandbox replaces Telegram. */
  sandboxUrl: string | undefined;
  needsKey: boolean;
}

/** Printed at the start: what runs, what to open, what to try first. */
export function welcome({ url, pid, dataDir, sandboxUrl, needsKey }: WelcomeFacts): string {
  const key = needsKey ? ' -H "x-api-key: $API_KEY"' : '';
  const phone =
    sandboxUrl === undefined
      ? 'Telegram: the real one. Scan the QR with the Telegram app: Settings > Devices > Link Desktop Device.'
      : `Telegram: a sandbox on this machine, no account needed. Its phone, to scan QR codes with: ${sandboxUrl}`;
  return `
Gateway:  ${url}   (process ${pid}, data in ${dataDir})
Console:  ${url}/console
${phone}

Try it:
  curl -s -X POST ${url}/session${key}
  curl -s ${url}/session -H "id: <id>" -H "session-id: <sessionId>"
  curl -s ${url}/message -H "id: <id>" -H "session-id: <sessionId>" \\
    -H "content-type: application/json" -d '{"username":"bob","type":"text","text":"Hello"}'
`;
}
