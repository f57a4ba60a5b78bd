import { CopyButton } from '../../parts/copy/copy-button.tsx';

/** A request that was made, and what came back. */
export interface Exchange {
  body: object;
  /** Empty: there was none. */
  idempotencyKey: string;
  /** 0: no response. */
  status: number;
  response: object;
  /** From the request to the response. */
  ms: number;
}

/** What was sent to the gateway, and its response, as a program would see them. */
export function ExchangeView({ exchange }: { exchange: Exchange }) {
  const { body, idempotencyKey, status, response, ms } = exchange;
  const bodyText = JSON.stringify(body, null, 2);
  return (
    <details class="exchange" open>
      <summary>Request and response</summary>
      <div class="snippet">
        <pre tabIndex={0} role="region" aria-label="Request">
          <code>{`POST /message\n${idempotencyKey === '' ? '' : `idempotency-key: ${idempotencyKey}\n`}\n${bodyText}`}</code>
        </pre>
        <CopyButton text={bodyText} what="body" />
      </div>
      <div class="snippet">
        <pre tabIndex={0} role="region" aria-label="Response">
          <code>{`${status === 0 ? 'no response' : status} after ${ms} ms\n\n${JSON.stringify(response, null, 2)}`}</code>
        </pre>
      </div>
    </details>
  );
}
