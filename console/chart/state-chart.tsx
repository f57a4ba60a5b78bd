import { useMemo } from 'preact/hooks';
import type { ChartTransition } from '../../actors/session/describe-chart.ts';
import { arrowShape } from '../../src/chart/arrow-shape.ts';
import { baselines, initialMarkHeight, layOutChart, type StateBox } from '../../src/chart/chart-layout.ts';
import { innerTransitionLabels, transitionLabel } from '../../src/chart/transition-label.ts';
import type { ArmedDeadline, AuditEntry } from '../api/types.ts';
import { factName } from '../parts/events/event-names.ts';
import { epochMs, formatCountdown, formatDuration, stateName } from '../parts/format.ts';
import { sessionChart } from './session-chart.ts';
import { useMedia } from './use-media.ts';

interface Props {
  state: string;
  /** The events up to the shown time. The last transition among them is highlighted. */
  events: readonly AuditEntry[];
  deadlines: readonly ArmedDeadline[];
  /** The shown time, for the countdowns: milliseconds since 1970. */
  now: number;
}

const layout = layOutChart(sessionChart, {
  labelOf: transitionLabel,
  notesOf: (name) => innerTransitionLabels(sessionChart, name),
});
/** Without texts on the arrows it fits a phone; the texts of the present state's arrows stand below it. */
const narrowLayout = layOutChart(sessionChart, { labelOf: () => '', notesOf: () => [] });
const narrowQuery = '(max-width: 700px)';

/** The state chart of the session's machine, with the current state, the last transition and the countdowns. */
export function StateChart({ state, events, deadlines, now }: Props) {
  const dueOf = (fact: string): string | undefined => deadlines.find(({ type }) => type === fact)?.due;
  const latest = useMemo(() => lastTransition(events), [events]);
  const isLatest = (transition: ChartTransition): boolean => transition === latest;
  const isPossible = ({ from }: ChartTransition): boolean => from === state;
  // Arrows into the same state share a line: those that stand out are drawn last, above the others.
  const rank = (transition: ChartTransition): number =>
    isLatest(transition) ? 2 : isPossible(transition) && dueOf(transition.fact) !== undefined ? 1 : 0;
  const isNarrow = useMedia(narrowQuery);
  const { width, height, boxes, arrows: unsorted } = isNarrow ? narrowLayout : layout;
  const arrows = unsorted.toSorted((a, b) => rank(a.transition) - rank(b.transition));
  return (
    <div class="chart-scroll" role="group" aria-label="State chart">
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} width={width} role="img" aria-labelledby="chart-svg-title">
        <title id="chart-svg-title">{chartTitle(state, deadlines, now)}</title>
        {arrows.map((arrow) => {
          const { transition, label } = arrow;
          const { path, tip } = arrowShape(arrow);
          const due = isPossible(transition) ? dueOf(transition.fact) : undefined;
          const kind = isLatest(transition) ? 'latest' : isPossible(transition) ? 'possible' : '';
          return (
            <g
              key={`${transition.from} ${transition.fact}`}
              class={`arrow ${kind} ${due === undefined ? '' : 'armed'}`}
            >
              <path d={path} />
              <polygon points={tip} />
              {!isNarrow && (
                <text x={label.x} y={label.y} text-anchor={label.anchor}>
                  {due === undefined ? label.text : `${transition.fact} in ${formatCountdown(epochMs(due) - now)}`}
                </text>
              )}
            </g>
          );
        })}
        {boxes.map((box) => (
          <Box key={box.name} box={box} isActive={box.name === state} />
        ))}
      </svg>
      {isNarrow && <Ways state={state} dueOf={dueOf} now={now} />}
    </div>
  );
}

/** The ways out of a state, in words. */
function Ways({ state, dueOf, now }: Pick<Props, 'state' | 'now'> & { dueOf: (fact: string) => string | undefined }) {
  const ways = sessionChart.transitions.filter(({ from, to }) => from === state && to !== 'same');
  if (ways.length === 0) return null;
  return (
    <ul class="ways" aria-label={`Ways out of ${stateName(state)}`}>
      {ways.map(({ fact, to }) => {
        const due = dueOf(fact);
        return (
          <li key={fact}>
            <span>
              {factName(fact)} <code class="event-type muted">{fact}</code>
            </span>
            <span class={due === undefined ? 'muted' : 'due'}>
              {`→ ${stateName(to)}${due === undefined ? '' : ` in ${formatCountdown(epochMs(due) - now)}`}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Box({ box, isActive }: { box: StateBox; isActive: boolean }) {
  const { name, kind, isInitial, notes, x, y, width, height } = box;
  const middle = x + width / 2;
  return (
    <>
      {isInitial && (
        <g class="arrow">
          <circle cx={middle} cy={y - initialMarkHeight} r={5} />
          <path d={`M${middle} ${y - initialMarkHeight}V${y - 8}`} />
          <polygon points={`${middle} ${y - 1} ${middle - 5} ${y - 9} ${middle + 5} ${y - 9}`} />
        </g>
      )}
      <g class={`box ${name} ${isActive ? 'active' : ''}`} data-state={name}>
        <rect x={x} y={y} width={width} height={height} rx={10} />
        {kind === 'final' && <rect class="inner" x={x + 4} y={y + 4} width={width - 8} height={height - 8} rx={7} />}
        <text class="box-name" x={middle} y={y + baselines.name} text-anchor="middle">
          {kind === 'any' ? 'Any live state' : stateName(name)}
        </text>
        {notes.map((note, index) => (
          <text key={note} x={middle} y={y + baselines.firstNote + index * baselines.perNote} text-anchor="middle">
            {note}
          </text>
        ))}
      </g>
    </>
  );
}

/** The transition that led to the current state. Events that did not change the state are skipped. */
function lastTransition(events: readonly AuditEntry[]): ChartTransition | undefined {
  for (const { type, state, data } of events.toReversed()) {
    const found = sessionChart.transitions.find(
      ({ fact, from, to }) => fact === type && to === state && from !== to && (from === data.from || from === 'any'),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function chartTitle(state: string, deadlines: readonly ArmedDeadline[], now: number): string {
  const armed = deadlines.map(({ type, due }) => `${type} in ${formatDuration(epochMs(due) - now)}`);
  return [`State chart. Current state: ${stateName(state)}`, ...armed].join('. ');
}
