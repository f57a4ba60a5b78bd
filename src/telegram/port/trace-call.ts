/** Has a request to Telegram appear in a trace: its name (`messages.SendMessage`), and which data centre is asked. */
export type TraceCall = <T>(request: string, dc: number | undefined, work: () => Promise<T>) => Promise<T>;
