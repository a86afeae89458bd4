/** Numbers, times and durations as a language writes them. */
export class Formats {
  readonly #tag: string;
  readonly #currency: string | null;
  readonly #number: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #change: Intl.NumberFormat;

  /** `currency`: that of costs, as a code of ISO 4217. */
  constructor(tag: string, currency: string | null = null) {
    this.#tag = tag;
    this.#currency = currency;
    this.#number = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
    this.#percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
    this.#change = new Intl.NumberFormat(tag, {
      style: 'percent',
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
    });
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  /** A number for a small space: `2.4M`. Numbers below a hundred thousand are written in full. */
  short(value: number): string {
    if (value < 100_000) return this.number(value);
    return new Intl.NumberFormat(this.#tag, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  }

  share(value: number): string {
    return this.#percent.format(value);
  }

  change(value: number): string {
    return this.#change.format(value);
  }

  /** A cost, without a currency where none is configured. */
  cost(value: number): string {
    return new Intl.NumberFormat(this.#tag, {
      ...(this.#currency === null ? {} : { style: 'currency', currency: this.#currency }),
      minimumFractionDigits: 2,
      maximumFractionDigits: value !== 0 && value < 1 ? 4 : 2,
    }).format(value);
  }

  /** `850 ms`, `2.4 s`, `3 min`, `5 h`, `12 d`. */
  duration(milliseconds: number): string {
    const units = [
      ['millisecond', 1, 1000],
      ['second', 1000, 60],
      ['minute', 60_000, 60],
      ['hour', 3_600_000, 48],
      ['day', 86_400_000, Infinity],
    ] as const;
    const found = units.find(([, size, most]) => milliseconds / size < most) ?? units[4];
    const [unit, size] = found;
    const value = milliseconds / size;
    const maximumFractionDigits = unit === 'second' && value < 10 ? 1 : 0;
    return new Intl.NumberFormat(this.#tag, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits,
    }).format(value);
  }

  /** How long something has waited, to the second. */
  age(milliseconds: number): string {
    return this.duration(Math.max(1, Math.round(milliseconds / 1000)) * 1000);
  }

  /** A range of time, to the minute. */
  span(from: number | string, to: number): string {
    const format = new Intl.DateTimeFormat(this.#tag, { dateStyle: 'medium', timeStyle: 'short' });
    return format.formatRange(new Date(from), new Date(to));
  }

  /** A moment to the minute, with its day. */
  moment(at: number | string): string {
    return new Intl.DateTimeFormat(this.#tag, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
  }

  /** A moment to the second, with its day. */
  exactMoment(at: string): string {
    return new Intl.DateTimeFormat(this.#tag, { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(at));
  }

  /** The time of day to the second. */
  time(at: number): string {
    return new Intl.DateTimeFormat(this.#tag, { timeStyle: 'medium' }).format(new Date(at));
  }

  /** A place on an axis: the time of day, or the day. */
  tick(at: number, isByDay: boolean): string {
    const options: Intl.DateTimeFormatOptions = isByDay
      ? { day: 'numeric', month: 'numeric' }
      : { hour: 'numeric', minute: '2-digit' };
    return new Intl.DateTimeFormat(this.#tag, options).format(new Date(at));
  }

  get timeZone(): string {
    return new Intl.DateTimeFormat(this.#tag).resolvedOptions().timeZone;
  }
}
