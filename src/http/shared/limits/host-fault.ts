import { GatewayError } from '../../../errors/gateway-error.ts';

/** RFC 9112, 3.2: a request has one Host header. Of several Node shows the first. */
export function hostFault(rawHeaders: readonly string[]): GatewayError | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1) return undefined;
  return new GatewayError(400, hosts === 0 ? 'host header is missing' : 'host header is repeated');
}
