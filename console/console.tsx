import { useCallback, useEffect, useState } from 'preact/hooks';
import { readApiKey, removeApiKey } from './api/credentials.ts';
import { errorMessage, fetchJson, gatewayUrl } from './api/request.ts';
import type { ConsoleConfig } from './api/types.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { Layout } from './layout.tsx';

const retryMs = 2_000;
/** index.html preloads it. */
const configUrl = new URL('console/config', gatewayUrl);

/** Loads the configuration, asks for the API key if the gateway has one, and shows the pages. */
export function Console() {
  const [config, setConfig] = useState<ConsoleConfig>();
  const [loadError, setLoadError] = useState('');
  const [hasKey, setHasKey] = useState(readApiKey() !== null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (): void => {
      fetchJson<ConsoleConfig>(configUrl, {}).then(setConfig, (error: unknown) => {
        setLoadError(errorMessage(error));
        timer = setTimeout(load, retryMs);
      });
    };
    load();
    return () => clearTimeout(timer);
  }, []);
  const forgetKey = useCallback(() => {
    removeApiKey();
    setHasKey(false);
  }, []);
  const isKeyMissing = config?.needsApiKey === true && !hasKey;
  return (
    <>
      <header class="top-bar">
        <a class="brand" href="#/">
          <Logo />
          Session gateway
        </a>
        <nav aria-label="Gateway">
          <a href={new URL('docs/', gatewayUrl).href}>API</a>
          {config?.needsApiKey === true && hasKey && (
            <button type="button" class="plain" onClick={forgetKey}>
              Forget API key
            </button>
          )}
        </nav>
      </header>
      {config === undefined && (
        <main class="centered">
          <h1 class="muted">{loadError === '' ? 'Loading…' : 'The gateway does not respond'}</h1>
          <p role="status">{loadError === '' ? '' : `${loadError}. Retrying…`}</p>
        </main>
      )}
      {config !== undefined && isKeyMissing && <ApiKeyForm onKey={() => setHasKey(true)} />}
      {config !== undefined && !isKeyMissing && <Layout sandboxUrl={config.sandboxUrl} onWrongKey={forgetKey} />}
    </>
  );
}

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M9 16h14M17 10l6 6-6 6" />
    </svg>
  );
}
