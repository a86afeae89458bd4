import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PageContext } from './page-context.ts';
import { dayOf, type Range, rangeOfDays } from './ranges.ts';

interface DayChoiceProps {
  readonly context: PageContext;
  readonly range: Range;
  readonly chooseRange: (range: Range) => void;
  readonly retentionMs: number;
}

/** A button that opens two fields for the first and the last day of a range. */
export function DayChoice({ context: { texts }, range, chooseRange, retentionMs }: DayChoiceProps): JSX.Element {
  const chosen = typeof range === 'string' ? null : range;
  const [isOpen, setOpen] = useState(chosen !== null);
  const [today, first] = [dayOf(Date.now()), dayOf(Date.now() - retentionMs)];
  const field = (name: 'fromDay' | 'toDay', value: string): JSX.Element => (
    <label>
      <span>{texts[name]}</span>
      <input type="date" name={name} required min={first} max={today} defaultValue={value} />
    </label>
  );
  return (
    <>
      <button type="button" aria-pressed={chosen !== null} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {texts.customRange}
      </button>
      {isOpen ? (
        <form
          class="days"
          onSubmit={(event) => {
            event.preventDefault();
            const given = new FormData(event.currentTarget);
            const [from, to] = [given.get('fromDay'), given.get('toDay')];
            // A form gives files as well, but these fields have none.
            if (typeof from !== 'string' || typeof to !== 'string') return;
            const days = rangeOfDays(from, to);
            if (days !== null) chooseRange(days);
          }}
        >
          {field('fromDay', chosen?.fromDay ?? first)}
          {field('toDay', chosen?.toDay ?? today)}
          <button type="submit">{texts.showRange}</button>
        </form>
      ) : null}
    </>
  );
}
