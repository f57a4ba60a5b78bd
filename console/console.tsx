import { useCallback, useEffect, useState } from 'preact/hooks';
import { readApiKey, removeApiKey } from './api/credentials.ts';
import { errorMessage, fetchJson, gatewayUrl } from './api/request.ts';
import type { ConsoleConfig } from './api/types.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { Layout } from './layout.tsx';
import { useHash } from './parts/use-hash.ts';

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
      <a class="skip-link" href="#page" onClick={focusPage}>
        Skip to the page
      </a>
      <header class="top-bar">
        <a class="brand" href="#/">
          <Logo />
          <span class="brand-name">Session gateway</span>
        </a>
        <nav aria-label="Gateway">
          {config !== undefined && !isKeyMissing && <PageLinks />}
          <a href={new URL('docs/', gatewayUrl).href}>API</a>
          {config?.needsApiKey === true && hasKey && (
            <button type="button" class="plain" onClick={forgetKey}>
              Forget<span class="wide-word"> API</span> key
            </button>
          )}
        </nav>
      </header>
      {config === undefined && (
        <main class="centered" id="page" tabIndex={-1}>
          <h1 class="muted">{loadError === '' ? 'Loading…' : 'The gateway does not respond'}</h1>
          <p role="status">{loadError === '' ? '' : `${loadError}. Retrying…`}</p>
        </main>
      )}
      {config !== undefined && isKeyMissing && <ApiKeyForm onKey={() => setHasKey(true)} />}
      {config !== undefined && !isKeyMissing && <Layout sandboxUrl={config.sandboxUrl} onWrongKey={forgetKey} />}
    </>
  );
}

/** The address names the page: the skip link must not change it. */
function focusPage(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

const pages = {
  Overview: '#/',
  Sessions: '#/sessions',
  Events: '#/events',
  Links: '#/links',
  Nodes: '#/nodes',
} as const;
/** On a phone, the brand leads to the first, and that one to the second. */
const wideOnly: ReadonlySet<string> = new Set([pages.Overview, pages.Nodes]);

function PageLinks() {
  const hash = useHash();
  return (
    <>
      {Object.entries(pages).map(([name, href]) => (
        <a
          key={name}
          class={wideOnly.has(href) ? 'wide-only' : ''}
          href={href}
          aria-current={(hash.split('?')[0] || '#/') === href ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
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
