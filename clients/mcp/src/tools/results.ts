import type { CallToolResult } from '@modelcontextprotocol/server';
import { adviceOn } from '../advice.ts';
import { markAsData, untrustedNotice } from '../untrusted.ts';

type Structured = Record<string, unknown>;

/** A result that holds what other people wrote. */
export function dataResult(content: Structured): CallToolResult {
  return {
    content: [{ type: 'text', text: markAsData(content) }],
    structuredContent: { notice: untrustedNotice, ...content },
  };
}

/** A result that holds IDs and times alone. */
export function plainResult(content: Structured): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}

/** Runs the work of a tool. An error becomes a result that says what to do: a model reads no protocol errors. */
export async function withAdvice(work: () => Promise<CallToolResult>, requestId?: string): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: adviceOn(error, requestId) }] };
  }
}
