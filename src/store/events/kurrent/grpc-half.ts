import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { StreamsClient } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';

/**
 * The client's internal methods for calls: they find the node, keep the channel and add the credentials. Since they are
 * not public, the package's version is pinned, and the store's contract tests cover them.
 */
interface GrpcHalf {
  GRPCStreamCreator(
    Service: typeof StreamsClient,
    name: string,
    call: (service: StreamsClient) => unknown,
  ): () => Promise<unknown>;
  callArguments(options: { requiresLeader: boolean }, callOptions: { deadline: number }): [never, never];
  supports(method: unknown): Promise<boolean>;
}

export const grpcHalf = (client: KurrentDBClient): GrpcHalf => client as unknown as GrpcHalf;

/**
 * Opens a call without a deadline at the leader, over the client's one channel.
 * @throws why it cannot be opened.
 */
export async function openCall<Call>(
  client: KurrentDBClient,
  name: string,
  open: (service: StreamsClient, ...call: [never, never]) => unknown,
): Promise<Call> {
  const half = grpcHalf(client);
  const create = half.GRPCStreamCreator(StreamsClient, name, (service) =>
    open(service, ...half.callArguments({ requiresLeader: true }, { deadline: Infinity })),
  );
  return (await create()) as Call;
}
