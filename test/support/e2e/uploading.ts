import type { Answer } from '../gateway/gateway.ts';
import type { Caller, Scene } from './scene.ts';

export type UploadBody = string | Uint8Array | ReadableStream;

/** `POST /file`, with the bytes as the whole body. */
export async function uploadTo(
  { gateway }: Pick<Scene, 'gateway'>,
  caller: Caller,
  body: UploadBody,
  { name = '', type = '' }: { name?: string; type?: string } = {},
): Promise<Answer<{ id: string; size: number; name: string; mimetype: string; expires: string }>> {
  const response = await fetch(`${gateway.url}/file${name && `?name=${encodeURIComponent(name)}`}`, {
    method: 'POST',
    headers: { ...caller.headers, ...(type && { 'content-type': type }) },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' as const }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}
