import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageContext } from '../page-context.ts';
import { DataTable } from '../panels/data-table.tsx';
import { axisSteps, labelled, stretches } from './scale.ts';

/** One line of a chart. */
export interface Line {
  readonly name: string;
  /** One value for each time. Null leaves a gap. */
  readonly values: readonly (number | null)[];
}

interface LineChartProps {
  readonly context: PageContext;
  /** Unique on the page. It must be valid in an id. */
  readonly id: string;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** The values are whole numbers. */
  readonly isCount?: boolean;
  /** The text that is shown in place of the chart when there are no values. */
  readonly nothing: string;
}

const height = 200;
const room = { left: 58, right: 14, top: 10, bottom: 24 };

/**
 * Lines over time, drawn as SVG. Each line has its own colour and pattern of dashes. The picture has a description in words, tells the
 * values under the pointer, and those that the arrow keys lead to. A table shows all numbers.
 */
export function LineChart(props: LineChartProps): JSX.Element {
  const { context, id, title, lines, nothing } = props;
  const { texts } = context;
  const shown = lines.filter(({ values }) => values.some((value) => value !== null && value !== 0));
  return (
    <figure class="panel" aria-labelledby={`${id}-title`}>
      <figcaption id={`${id}-title`}>
        <h3>{title}</h3>
      </figcaption>
      {shown.length === 0 ? (
        <p class="hint">{nothing}</p>
      ) : (
        <>
          <Picture {...props} lines={shown} />
          <ul class="legend">
            {shown.map(({ name }, index) => (
              <li key={name}>
                <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
                  <path class={`line line-${String(index % 6)}`} d="M0 4H28" />
                </svg>
                <span dir="auto">{name}</span>
              </li>
            ))}
          </ul>
          <details>
            <summary>{texts.showNumbers}</summary>
            <Numbers {...props} lines={shown} />
          </details>
        </>
      )}
    </figure>
  );
}

function Picture({ context, title, times, lines, format, isCount }: LineChartProps): JSX.Element {
  const { texts, formats } = context;
  const [frame, width] = useWidth();
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const steps = axisSteps(highest, isCount === true ? 1 : 0);
  const top = steps.at(-1) ?? 1;
  const plot = { width: width - room.left - room.right, height: height - room.top - room.bottom };
  const across = (index: number): number => room.left + (plot.width * (index + 0.5)) / times.length;
  const down = (value: number): number => room.top + plot.height * (1 - value / top);
  const isByDay = times.length > 48;
  // The label of a day is placed at the beginning of the day.
  const places = times.flatMap((at, index) => (!isByDay || new Date(at).getHours() === 0 ? [index] : []));
  const labels = labelled(places.length, Math.max(2, Math.floor(plot.width / 80))).map((index) => places[index] ?? 0);
  const told = (value: number | null): string => (value === null ? texts.unknown : format(value));
  const summary = texts.chartSummary({
    title,
    lines: lines
      .map(({ name, values }) => `${name}: ${format(Math.max(...values.map((value) => value ?? 0)))}`)
      .join('; '),
    from: formats.moment(times[0] ?? 0),
  });
  const [chosen, chooses] = useChosen(times.length, plot.width);
  return (
    <div class="picture" ref={frame} tabIndex={0} role="group" aria-label={texts.chartKeys(title)} {...chooses}>
      <svg role="img" aria-label={summary} viewBox={`0 0 ${String(width)} ${String(height)}`} height={height}>
        {chosen === null ? null : (
          <line class="chosen" x1={across(chosen)} x2={across(chosen)} y1={room.top} y2={height - room.bottom} />
        )}
        {steps.map((value) => (
          <g key={value} class="grid">
            <line x1={room.left} x2={width - room.right} y1={down(value)} y2={down(value)} />
            <text x={room.left - 8} y={down(value) + 4} text-anchor="end">
              {format(value)}
            </text>
          </g>
        ))}
        {labels.map((index) => (
          <text key={index} class="tick" x={across(index)} y={height - 6} text-anchor="middle">
            {formats.tick(times[index] ?? 0, isByDay)}
          </text>
        ))}
        {lines.map(({ name, values }, index) => (
          <g key={name} class={`line line-${String(index % 6)}`}>
            {stretches(values).map((stretch) => {
              const points = stretch.map(([at, value]) => `${across(at).toFixed(1)} ${down(value).toFixed(1)}`);
              const [first = ''] = points;
              // A single value cannot be drawn as a line, so it is a dot.
              if (points.length === 1)
                return (
                  <circle
                    key={first}
                    class="dot"
                    r="3.5"
                    cx={first.split(' ')[0] ?? ''}
                    cy={first.split(' ')[1] ?? ''}
                  />
                );
              return <path key={first} d={`M${points.join('L')}`} />;
            })}
          </g>
        ))}
      </svg>
      <p class="chosen-values" aria-live="polite">
        {chosen === null
          ? ''
          : [
              formats.moment(times[chosen] ?? 0),
              ...lines.map(({ name, values }) => `${name}: ${told(values[chosen] ?? null)}`),
            ].join(' · ')}
      </p>
    </div>
  );
}

/** A table of the numbers. Most hours of most servers have none, so only hours with a number are listed. */
function Numbers({ context, id, title, times, lines, format }: LineChartProps): JSX.Element {
  const { texts, formats } = context;
  const rows = times.flatMap((at, index) => {
    const values = lines.map((line) => line.values[index] ?? null);
    if (values.every((value) => value === null || value === 0)) return [];
    return [[formats.moment(at), ...values.map((value) => (value === null ? texts.unknown : format(value)))]];
  });
  return (
    <DataTable
      id={`${id}-numbers`}
      caption={title}
      columns={[{ title: texts.time }, ...lines.map(({ name }) => ({ title: name, isNumber: true }))]}
      rows={rows}
    />
  );
}

interface Chooses {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onBlur: () => void;
}

/** The place whose values are told, by its index, and what chooses it: the pointer, or the arrow keys. Null: none is. */
function useChosen(count: number, width: number): readonly [number | null, Chooses] {
  const [chosen, choose] = useState<number | null>(null);
  const nothing = (): void => choose(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const places = { ArrowLeft: (chosen ?? count) - 1, ArrowRight: (chosen ?? -1) + 1, Home: 0, End: count - 1 };
    const to = Object.entries(places).find(([key]) => key === event.key)?.[1];
    if (to === undefined) return;
    event.preventDefault();
    choose(Math.min(count - 1, Math.max(0, to)));
  };
  const onPointerMove = ({ offsetX }: PointerEvent): void => {
    const index = Math.floor(((offsetX - room.left) / width) * count);
    choose(index < 0 || index >= count ? null : index);
  };
  return [chosen, { onKeyDown, onPointerMove, onPointerLeave: nothing, onBlur: nothing }];
}

/** The width of an element in pixels. The picture is drawn in this width, because text in a scaled picture would be too small to read. */
function useWidth(): readonly [{ current: HTMLDivElement | null }, number] {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}
