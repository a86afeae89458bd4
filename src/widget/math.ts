import mathCss from './enrich/math.css';

export { drawFormula as enrich } from './enrich/draw-formula.ts';

/** The panel adds these styles to its shadow root with the first formula. */
export const styles: string = mathCss;
