/** Runs a request to Telegram inside a span with its name (`messages.SendMessage`) and its data centre. */
export type TraceCall = <T>(request: string, dc: number | undefined, work: () => Promise<T>) => Promise<T>;
