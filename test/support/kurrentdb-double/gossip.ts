import gossip from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/gossip_pb.js';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import type { Endpoint } from './node.ts';

/** A node of a cluster, as the others speak of it. */
export interface Member extends Endpoint {
  role: 'leader' | 'follower' | 'gone';
}

const { MemberInfo } = gossip;
const { LEADER: leader, FOLLOWER: follower, SHUTDOWN: gone } = MemberInfo.VNodeState;
const states = { leader, follower, gone };
const ticksPerMs = 10_000;

export function tellMembers(members: readonly Member[]): gossip.ClusterInfo {
  const told = new gossip.ClusterInfo();
  for (const { host, port, role } of members) {
    const id = new shared.UUID().setString(`00000000-0000-4000-8000-${String(port).padStart(12, '0')}`);
    const member = new MemberInfo()
      .setInstanceId(id)
      .setTimeStamp(String(Date.now() * ticksPerMs))
      .setState(states[role])
      .setIsAlive(role !== 'gone')
      .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port));
    told.addMembers(member);
  }
  return told;
}
