import { useState } from 'preact/hooks';
import { readSessionSecret } from '../api/credentials.ts';
import { gatewayUrl } from '../api/request.ts';
import { Card } from '../parts/card.tsx';
import { CopyButton } from '../parts/copy/copy-button.tsx';
import { type CodeLanguage, codeLanguages, snippetOf } from './snippets.ts';

/** Characters of the secret that are shown: enough to tell two apart. */
const shownLength = 6;

/** How a program uses the session whose secret this tab has. What is copied has the secret in full, what is shown has not. */
export function CodeCard({ id }: { id: string }) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const sessionId = readSessionSecret(id) ?? '';
  const shown = `${sessionId.slice(0, shownLength)}…`;
  const gateway = gatewayUrl.href;
  return (
    <Card title="Use it from code" id="code">
      <p class="muted">
        A program needs these two headers. The secret is not shown in full; the buttons copy all of it.
      </p>
      <dl class="code-headers">
        <Header name="id" shown={id} text={id} />
        <Header name="session-id" shown={shown} text={sessionId} />
      </dl>
      <fieldset class="segments">
        <legend class="visually-hidden">Language</legend>
        {codeLanguages.map((name) => (
          <label key={name}>
            <input type="radio" name="language" checked={language === name} onChange={() => setLanguage(name)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <div class="snippet">
        <pre tabIndex={0} role="region" aria-label={`A message by ${language}`}>
          <code>{snippetOf(language, { gateway, id, sessionId: shown })}</code>
        </pre>
        <CopyButton text={snippetOf(language, { gateway, id, sessionId })} what={language} />
      </div>
      <p>
        <a href={new URL('docs/', gatewayUrl).href}>All endpoints, with examples</a>
      </p>
    </Card>
  );
}

function Header({ name, shown, text }: { name: string; shown: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{shown}</code>
        <CopyButton text={text} what={name} />
      </dd>
    </div>
  );
}
