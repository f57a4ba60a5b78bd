import { useCallback, useEffect, useState } from 'preact/hooks';
import { apiKey, forgetApiKey } from './api/credentials.ts';
import { messageOf, requestAt, root } from './api/request.ts';
import type { ConsoleConfig } from './api/types.ts';
import { KeyForm } from './api-key-form.tsx';
import { Frame } from './layout.tsx';

const retryMs = 2_000;
/** On its way already when the page asks: index.html names it. */
const configUrl = new URL('console/config', root);

/** Learns of the gateway what it must, asks for the API key where there is one, and shows the rest. */
export function Console() {
  const [config, setConfig] = useState<ConsoleConfig>();
  const [trouble, setTrouble] = useState('');
  const [hasKey, setHasKey] = useState(apiKey() !== null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      requestAt<ConsoleConfig>(configUrl, {}).then(setConfig, (error: unknown) => {
        setTrouble(messageOf(error));
        timer = setTimeout(ask, retryMs);
      });
    };
    ask();
    return () => clearTimeout(timer);
  }, []);
  const forget = useCallback(() => {
    forgetApiKey();
    setHasKey(false);
  }, []);
  const isAsked = config?.needsApiKey === true && !hasKey;
  return (
    <>
      <header class="top">
        <a class="brand" href="#/">
          <Mark />
          Session gateway
        </a>
        <nav aria-label="More">
          <a href={new URL('docs/', root).href}>API</a>
          {config?.needsApiKey === true && hasKey && (
            <button type="button" class="plain" onClick={forget}>
              Forget the API key
            </button>
          )}
        </nav>
      </header>
      {config === undefined && (
        <main class="alone">
          <h1 class="quiet">{trouble === '' ? 'Loading…' : 'No answer from the gateway'}</h1>
          <p role="status">{trouble}</p>
        </main>
      )}
      {config !== undefined && isAsked && <KeyForm onKey={() => setHasKey(true)} />}
      {config !== undefined && !isAsked && <Frame sandboxUrl={config.sandboxUrl} onWrongKey={forget} />}
    </>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M9 16h14M17 10l6 6-6 6" />
    </svg>
  );
}
