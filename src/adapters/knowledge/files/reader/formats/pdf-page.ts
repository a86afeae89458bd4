import type { PDFiumPage } from '@hyzyla/pdfium';
import { LeftOut } from '../read-limits.ts';

/** PDFium's own functions, of which the package wraps few. All take and give numbers: handles, addresses, sizes. */
type Functions = Readonly<Record<string, (...given: readonly number[]) => number>>;

/** A page as the package holds it, with PDFium's functions and its memory. */
export interface RawPage {
  readonly module: { readonly wasmExports: unknown; readonly HEAPU8: Uint8Array };
  readonly pageIdx: number;
}

/** Numbers of the longest answer: a matrix has six. */
const longest = 6;

/** Asks PDFium about a page what the package does not. Call `close` at the end. */
export class PdfPage {
  readonly handle: number;
  readonly #module: RawPage['module'];
  readonly #functions: Functions;
  /** Where PDFium writes its answers. */
  readonly #answer: number;
  #view: DataView;

  constructor(page: PDFiumPage) {
    const { module, pageIdx } = page as unknown as RawPage; // what the package hides; a test reads a page with it
    this.handle = pageIdx;
    this.#module = module;
    this.#functions = module.wasmExports as Functions; // the exports of WebAssembly are functions
    this.#answer = this.call('malloc', 8 * longest);
    this.#view = new DataView(module.HEAPU8.buffer);
  }

  call(name: string, ...given: readonly number[]): number {
    const called = this.#functions[name];
    if (called === undefined) throw new LeftOut('needs another version of PDFium');
    return called(...given);
  }

  /** The parts of a colour and its opacity, each up to 255. Undefined: it has several, or none. */
  colourOf(name: string, object: number): readonly [number, number, number, number] | undefined {
    const at = this.#answer;
    if (this.call(name, object, at, at + 4, at + 8, at + 12) === 0) return undefined;
    return [this.#whole(0), this.#whole(1), this.#whole(2), this.#whole(3)];
  }

  /** The left, the lower, the right and the upper edge of an object. */
  edgesOf(object: number): readonly [number, number, number, number] {
    const at = this.#answer;
    if (this.call('FPDFPageObj_GetBounds', object, at, at + 4, at + 8, at + 12) === 0) return [0, 0, 0, 0];
    return [this.#float(0), this.#float(1), this.#float(2), this.#float(3)];
  }

  /** The edges of each path outside of which an object is not painted. Paths beyond `most` segments are left out. */
  clipsOf(object: number, most: number): readonly (readonly [number, number, number, number])[] {
    const clip = this.call('FPDFPageObj_GetClipPath', object);
    const count = clip === 0 ? 0 : Math.max(0, this.call('FPDFClipPath_CountPaths', clip));
    const boxes: (readonly [number, number, number, number])[] = [];
    let left = most;
    for (let path = 0; path < count && left > 0; path += 1) {
      const segments = this.call('FPDFClipPath_CountPathSegments', clip, path);
      left -= Math.max(1, segments);
      if (segments <= 0 || left < 0) continue;
      const points = Array.from({ length: segments }, (_, index) =>
        this.#pointOf(this.call('FPDFClipPath_GetPathSegment', clip, path, index)),
      );
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
      boxes.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
    }
    return boxes;
  }

  #pointOf(segment: number): readonly [number, number] {
    this.call('FPDFPathSegment_GetPoint', segment, this.#answer, this.#answer + 4);
    return [this.#float(0), this.#float(1)];
  }

  /** How a path is painted. */
  drawingOf(path: number): { readonly isFilled: boolean; readonly isStroked: boolean } {
    const isKnown = this.call('FPDFPath_GetDrawMode', path, this.#answer, this.#answer + 4) !== 0;
    return { isFilled: isKnown && this.#whole(0) !== 0, isStroked: isKnown && this.#whole(1) !== 0 };
  }

  /** The width of the line of a path in points. */
  lineOf(path: number): number {
    return this.call('FPDFPageObj_GetStrokeWidth', path, this.#answer) === 0 ? 0 : this.#float(0);
  }

  /** The matrix of an object, by which what is in it gets its place. */
  matrixOf(object: number): readonly number[] | undefined {
    if (this.call('FPDFPageObj_GetMatrix', object, this.#answer) === 0) return undefined;
    return Array.from({ length: 6 }, (_, index) => this.#float(index));
  }

  /** Where a letter of a text page begins. */
  originOf(textPage: number, letter: number): string | undefined {
    if (this.call('FPDFText_GetCharOrigin', textPage, letter, this.#answer, this.#answer + 8) === 0) return undefined;
    return `${String(this.#memory().getFloat64(this.#answer, true))} ${String(this.#memory().getFloat64(this.#answer + 8, true))}`;
  }

  close(): void {
    this.call('free', this.#answer);
  }

  #whole(index: number): number {
    return this.#memory().getUint32(this.#answer + 4 * index, true);
  }

  #float(index: number): number {
    return this.#memory().getFloat32(this.#answer + 4 * index, true);
  }

  /** The memory moves when it grows. */
  #memory(): DataView {
    const { buffer } = this.#module.HEAPU8;
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
    return this.#view;
  }
}
