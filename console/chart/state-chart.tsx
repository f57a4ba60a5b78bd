import { useMemo } from 'preact/hooks';
import { type ChartTransition, describeChart } from '../../actors/describe-chart.ts';
import type { ArmedDeadline, AuditEntry } from '../api/types.ts';
import { countdown, duration, msOf, stateName } from '../parts/words.ts';
import { layOut, type StateBox } from './layout.ts';

interface Props {
  state: string;
  /** What has happened until then: the arrow that it came by is lit. */
  events: readonly AuditEntry[];
  deadlines: readonly ArmedDeadline[];
  /** For how the countdowns stand, milliseconds since 1970. */
  now: number;
}

const labelOf = ({ fact, afterMs }: ChartTransition): string =>
  afterMs === undefined ? fact : `${fact} (${duration(afterMs)})`;

/** The session's chart, drawn of the machine itself. */
export function StateChart({ state, events, deadlines, now }: Props) {
  const chart = useMemo(describeChart, []);
  const layout = useMemo(() => layOut(chart, labelOf), [chart]);
  const dueOf = (fact: string): string | undefined => deadlines.find(({ type }) => type === fact)?.due;
  const last = useMemo(() => arrowInto(layout.arrows, events), [layout, events]);
  const isLast = (transition: ChartTransition): boolean => transition === last;
  const isAhead = ({ from }: ChartTransition): boolean => from === state;
  const arrows = layout.arrows.toSorted((a, b) => Number(isLast(a.transition)) - Number(isLast(b.transition)));
  return (
    <div class="chart-scroll" role="group" aria-label="State chart" tabIndex={0}>
      <svg
        class="chart"
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        width={layout.width}
        role="img"
        aria-labelledby="chart-name"
      >
        <title id="chart-name">{nameOfChart(state, deadlines, now)}</title>
        {arrows.map(({ transition, path, tip, label }) => {
          const due = isAhead(transition) ? dueOf(transition.fact) : undefined;
          const kind = isLast(transition) ? 'lit' : isAhead(transition) ? 'ahead' : '';
          return (
            <g
              key={`${transition.from} ${transition.fact}`}
              class={`arrow ${kind} ${due === undefined ? '' : 'armed'}`}
            >
              <path d={path} />
              <polygon points={tip} />
              <text x={label.x} y={label.y} text-anchor={label.anchor}>
                {due === undefined ? labelOf(transition) : `${transition.fact} in ${countdown(msOf(due) - now)}`}
              </text>
            </g>
          );
        })}
        {layout.boxes.map((box) => (
          <Box key={box.name} box={box} isActive={box.name === state} />
        ))}
      </svg>
    </div>
  );
}

function Box({ box: { name, isFinal, kept, x, y, width, height }, isActive }: { box: StateBox; isActive: boolean }) {
  const isAny = name === 'any';
  return (
    <g class={`box ${name} ${isActive ? 'active' : ''} ${isAny ? 'every' : ''}`} data-state={name}>
      <rect x={x} y={y} width={width} height={height} rx={10} />
      {isFinal && <rect class="inner" x={x + 4} y={y + 4} width={width - 8} height={height - 8} rx={7} />}
      <text class="box-name" x={x + width / 2} y={y + 24} text-anchor="middle">
        {isAny ? 'In every state' : stateName(name)}
      </text>
      {kept.map((fact, index) => (
        <text class="kept" key={fact} x={x + width / 2} y={y + 52 + index * 17} text-anchor="middle">
          {`↻ ${fact}`}
        </text>
      ))}
    </g>
  );
}

/** By which the session came into its state; what was only recorded since then does not count. */
function arrowInto(
  arrows: readonly { transition: ChartTransition }[],
  events: readonly AuditEntry[],
): ChartTransition | undefined {
  for (const { type, state, data } of events.toReversed()) {
    const found = arrows.find(
      ({ transition: { fact, from, to } }) => fact === type && to === state && (from === data.from || from === 'any'),
    );
    if (found !== undefined) return found.transition;
  }
  return undefined;
}

function nameOfChart(state: string, deadlines: readonly ArmedDeadline[], now: number): string {
  const armed = deadlines.map(({ type, due }) => `${type} in ${duration(msOf(due) - now)}`);
  return [`State chart; the session is: ${stateName(state)}`, ...armed].join('. ');
}
