/** What a program needs to use a session. */
export interface CodeAccess {
  /** The root of the API, with a slash at its end. */
  gateway: string;
  id: string;
  sessionId: string;
}

export const codeLanguages = ['curl', 'TypeScript', 'Python'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

const message = '{"username":"bob","type":"text","text":"Hello"}';

/** A program that sends a message from the session, with nothing to install. It runs as it is. */
export function snippetOf(language: CodeLanguage, { gateway, id, sessionId }: CodeAccess): string {
  // An apostrophe is the one character of a URL that would end the texts below.
  const url = `${gateway.replaceAll("'", '%27')}message`;
  if (language === 'curl') {
    return `curl '${url}' \\
  -H 'id: ${id}' \\
  -H 'session-id: ${sessionId}' \\
  -H 'content-type: application/json' \\
  -d '${message}'
`;
  }
  if (language === 'TypeScript') {
    return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    id: '${id}',
    'session-id': '${sessionId}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({ username: 'bob', type: 'text', text: 'Hello' }),
});
const body = await response.json();
if (!response.ok) throw new Error(body.message);
console.log(body.messageId);
`;
  }
  return `import json
import urllib.request

request = urllib.request.Request(
    '${url}',
    method='POST',
    headers={
        'id': '${id}',
        'session-id': '${sessionId}',
        'content-type': 'application/json',
    },
    data=json.dumps({'username': 'bob', 'type': 'text', 'text': 'Hello'}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)['messageId'])
`;
}
