import { payloads } from '../../webhook/payload/payloads.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
const headers = [
  header('x-token', 'The token of the webhook.'),
  header('webhook-id', 'The ID of the event, the same in each attempt.'),
  header('webhook-timestamp', 'Time of the attempt, seconds since 1970.'),
  header('webhook-signature', '`v1,` and a signature as Standard Webhooks define it, keyed by the token.'),
];

/** The webhook events for the API document. */
export function describedWebhooks(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(payloads).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on ${type}`.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()),
          tags: ['Webhook'],
          summary: (schema as { description?: string }).description,
          // The receiver checks the signature.
          security: [],
          parameters: headers,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'Delivered. Without it within 10 seconds, the event is sent again.' },
            410: { description: 'The endpoint is gone: the webhook is turned off.' },
          },
        },
      },
    ]),
  );
}
