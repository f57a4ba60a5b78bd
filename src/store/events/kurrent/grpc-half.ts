import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { StreamsClient } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';

/**
 * What the client makes its own calls of: it finds the node, keeps the channel and adds the credentials. Internal, as it
 * says itself; so its version is pinned to the patch, and the contract tells.
 */
interface GrpcHalf {
  GRPCStreamCreator(
    Service: typeof StreamsClient,
    name: string,
    call: (service: StreamsClient) => unknown,
  ): () => Promise<unknown>;
  callArguments(options: { requiresLeader: boolean }, callOptions: { deadline: number }): [never, never];
  supports(method: unknown): Promise<boolean>;
  createDeadline(): Date;
}

export const grpcHalf = (client: KurrentDBClient): GrpcHalf => client as unknown as GrpcHalf;

/**
 * Opens a call at the leader, over the channel that everything of this client goes over. It has no deadline.
 * @throws what keeps the client from it.
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
