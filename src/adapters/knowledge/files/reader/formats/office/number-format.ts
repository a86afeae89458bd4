/** How the number of a cell is shown. */
export type NumberKind = 'plain' | 'date' | 'time' | 'percent' | 'hidden';

/** Excel's own formats. Further ones stand in the file. */
const own: Readonly<Record<number, NumberKind>> = {
  ...Object.fromEntries([9, 10].map((id) => [id, 'percent'])),
  ...Object.fromEntries(
    [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date']),
  ),
  ...Object.fromEntries([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'time'])),
};

/** The kind of a format, by its number and the pattern that the file gives it. */
export function kindOfFormat(id: number, pattern: string | undefined): NumberKind {
  if (pattern === undefined) return own[id] ?? 'plain';
  if (/^;{2,3}$/.test(pattern.trim())) return 'hidden';
  const signs = pattern
    .slice(0, 300)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[[^[\]]{0,100}\]/g, (bracket) => (/^\[[hms]{1,9}\]$/i.test(bracket) ? bracket : ''))
    .toLowerCase();
  if (/general/.test(signs)) return 'plain';
  if (/[yd]|mmm/.test(signs)) return 'date';
  if (/[hs]/.test(signs)) return 'time';
  return signs.includes('%') ? 'percent' : 'plain';
}

const dayMs = 86_400_000;

/** The text of a number as people read it. Excel counts days from 1900, or from 1904 in old files for the Macintosh. */
export function numberText(value: string, kind: NumberKind, isFrom1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  switch (kind) {
    case 'hidden':
      return '';
    case 'percent':
      return `${String(rounded(number * 100))}%`;
    case 'time':
      return number >= 0 && number < 1 ? timeOf(number) : momentOf(number, isFrom1904);
    case 'date':
      return momentOf(number, isFrom1904);
    case 'plain':
      return String(rounded(number));
  }
}

/** Without the last digits, in which binary fractions differ from decimal ones. */
function rounded(number: number): number {
  return Number(number.toPrecision(15));
}

function momentOf(days: number, isFrom1904: boolean): string {
  // Excel believes that 1900 was a leap year.
  const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(epoch + Math.round((days * dayMs) / 1_000) * 1_000);
  if (days < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return String(rounded(days));
  const [day = '', time = ''] = date.toISOString().split('T');
  return days % 1 === 0
    ? day
    : `${day} ${time.slice(0, time.startsWith('00:00:00', 0) ? 0 : time.slice(6, 8) === '00' ? 5 : 8)}`.trim();
}

function timeOf(day: number): string {
  const time = new Date(Math.round(day * 86_400) * 1_000).toISOString().slice(11, 19);
  return time.endsWith(':00') ? time.slice(0, 5) : time;
}
