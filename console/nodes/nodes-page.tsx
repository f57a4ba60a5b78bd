import { loadNodes } from '../api/nodes.ts';
import { errorMessage } from '../api/request.ts';
import { epochMs, formatDateTime, formatDuration } from '../parts/format.ts';
import { LastingError } from '../parts/lasting-error.tsx';
import { useNow } from '../parts/use-now.ts';
import { usePolling } from '../parts/use-polling.ts';
import { heardAgo, type NodeDoc, nodesVerdict, partitionRanges } from './node-report.ts';

/** A node says so often that it is there. */
const intervalMs = 5_000;

/** The gateways that share the store: what each has, and which are gone. */
export function NodesPage() {
  const { value, error } = usePolling(loadNodes, intervalMs);
  const nodes = value?.docs;
  return (
    <>
      <header class="page-header">
        <h1>Nodes</h1>
        <p class="muted">
          The gateways that share the event store. Each session belongs to one of 64 partitions, each partition to one
          node.
        </p>
      </header>
      {error !== undefined && (
        <LastingError
          class="action-result error"
          role="status"
          text={`The nodes may have changed: ${errorMessage(error)}.`}
        />
      )}
      {nodes === undefined ? error === undefined && <p class="muted">Loading…</p> : <NodeList nodes={nodes} />}
    </>
  );
}

function NodeList({ nodes }: { nodes: readonly NodeDoc[] }) {
  const [only, ...others] = nodes;
  if (only?.url === '' && others.length === 0) return <Alone node={only} />;
  const { text, isWell } = nodesVerdict(nodes);
  return (
    <>
      <p class={isWell ? 'verdict well' : 'verdict'} role="status">
        <strong>{isWell ? 'All is well: ' : 'To look at: '}</strong>
        {text}
      </p>
      <NodeTable nodes={nodes} />
    </>
  );
}

function Alone({ node: { name, version, sessions } }: { node: NodeDoc }) {
  return (
    <section class="card" aria-label="One gateway">
      <p>
        <strong>This gateway is alone.</strong> {name}, version {version}, has all sessions
        {sessions === null ? '' : `: ${sessions}`}.
      </p>
      <p class="muted">
        Several gateways can share one KurrentDB: give each of them <code>NODE_URL</code> and <code>CLUSTER_KEY</code>.
      </p>
    </section>
  );
}

function NodeTable({ nodes }: { nodes: readonly NodeDoc[] }) {
  const now = useNow();
  return (
    <div class="table-frame">
      <table class="sessions links nodes">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Sessions
            </th>
            <th scope="col" class="number">
              Partitions
            </th>
            <th scope="col" class="wide-only">
              Version
            </th>
            <th scope="col" class="wide-only">
              Up for
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.name}>
              <th scope="row">
                <div class="cell">
                  {node.name}
                  {node.url !== '' && <span class="muted">{node.url}</span>}
                </div>
              </th>
              <td>
                <div class="cell">
                  <span class={node.live ? 'node-state' : 'node-state gone'}>{node.live ? 'Live' : 'Gone'}</span>
                  <span class="muted" title={`Heard of at ${formatDateTime(node.heard)}`}>
                    {heardAgo(node, now)}
                  </span>
                </div>
              </td>
              <td class="number">{node.sessions ?? '–'}</td>
              <td class="number">
                <span title={partitionRanges(node.partitions)}>{node.partitions.length}</span>
              </td>
              <td class="wide-only">{node.version}</td>
              <td class="wide-only" title={`Since ${formatDateTime(node.started)}`}>
                {node.live ? formatDuration(now - epochMs(node.started)) : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
