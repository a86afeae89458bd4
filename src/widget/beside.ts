import besideCss from './beside/beside.css';

export { BesideEntry } from './beside/beside-entry.tsx';
export { cite } from './beside/cite.ts';
export { spokenOutcome, spokenReceipts } from './beside/spoken-outcome.ts';
export { spokenQuestion } from './beside/spoken-question.ts';

/** The panel adds these styles to its shadow root with the first entry that this chunk draws. */
export const styles: string = besideCss;
