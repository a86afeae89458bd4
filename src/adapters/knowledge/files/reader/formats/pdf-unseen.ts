import type { PdfPage } from './pdf-page.ts';
import { type Colour, isNear } from './html/colour.ts';

/** Kinds of objects, and modes in which letters are drawn (ISO 32000-1, 9.3.6). */
const kinds = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const;
const invisible = 3;
const strokes: Readonly<Record<'only' | 'too', readonly number[]>> = { only: [1, 5], too: [2, 6] };

type Paint = Exclude<Colour, 'transparent'>;

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Something that letters stand on. */
interface Ground extends Box {
  /** Undefined: it has several, or nobody knows. */
  readonly colour: Paint | undefined;
}

/** An object, and the form in which it is. Undefined: it is in the page itself. */
interface Placed {
  readonly object: number;
  readonly form: number | undefined;
}

type Matrix = readonly number[];

const upright: Matrix = [1, 0, 0, 1, 0, 0];
const white: Paint = { red: 255, green: 255, blue: 255 };
/** Of 255: what is thinner is not seen, and what is thicker covers. */
const opacity = { seen: 12, covers: 243 } as const;
/** Points. Wider lines are drawn as grounds. */
const wideLine = 3;
/** The most segments of clipping paths of one object that are looked at. */
const mostClipSegments = 1_000;
/** The most grounds that are kept; earlier ones are forgotten. */
const mostGrounds = 1_000;

/**
 * Takes away from a page the letters that nobody sees: those in the colour of what is painted below them, and those that are drawn
 * invisibly. The text that was recognised in a scan is drawn so over its picture, so it stays on a page that has no other text.
 */
export function removeUnseen(page: PdfPage): void {
  const look = new Look(page);
  look.atAll(
    page.call('FPDFPage_CountObjects', page.handle),
    (index) => page.call('FPDFPage_GetObject', page.handle, index),
    { form: undefined, matrix: upright },
  );
  for (const { object, form } of look.unseen()) {
    const removed =
      form === undefined
        ? page.call('FPDFPage_RemoveObject', page.handle, object)
        : page.call('FPDFFormObj_RemoveObject', form, object);
    if (removed !== 0) page.call('FPDFPageObj_Destroy', object);
  }
}

/** Looks at the objects of a page in the order in which they are painted. */
class Look {
  readonly #page: PdfPage;
  readonly #half: number;
  readonly #unseen: Placed[] = [];
  readonly #invisible: Placed[] = [];
  #grounds: Ground[] = [];
  /** What is painted over most of the page. */
  #paper: Paint | undefined = white;
  #pictures = 0;
  #hasSeen = false;

  constructor(page: PdfPage) {
    this.#page = page;
    // Both give floats, for which the package has no type.
    this.#half = (page.call('FPDF_GetPageWidthF', page.handle) * page.call('FPDF_GetPageHeightF', page.handle)) / 2;
  }

  unseen(): readonly Placed[] {
    const isScan = !this.#hasSeen && this.#pictures >= this.#half;
    return isScan ? this.#unseen : [...this.#unseen, ...this.#invisible];
  }

  /** PDFium itself bounds how deep forms lie in each other. */
  atAll(
    count: number,
    at: (index: number) => number,
    within: { readonly form: number | undefined; readonly matrix: Matrix },
  ): void {
    for (let index = 0; index < count; index += 1) {
      const object = at(index);
      const kind = this.#page.call('FPDFPageObj_GetType', object);
      if (kind === kinds.text) this.#atText({ object, form: within.form }, within.matrix);
      else if (kind === kinds.path) this.#atPath(object, within.matrix);
      else if (kind === kinds.form) {
        this.atAll(
          this.#page.call('FPDFFormObj_CountObjects', object),
          (inner) => this.#page.call('FPDFFormObj_GetObject', object, inner),
          { form: object, matrix: product(this.#page.matrixOf(object) ?? upright, within.matrix) },
        );
      } else {
        const box = this.#paintedOf(object, within.matrix);
        if (kind === kinds.image) this.#pictures += areaOf(box);
        this.#cover({ ...box, colour: undefined });
      }
    }
  }

  #atText(placed: Placed, matrix: Matrix): void {
    const mode = this.#page.call('FPDFTextObj_GetTextRenderMode', placed.object);
    if (mode === invisible) this.#invisible.push(placed);
    else if (this.#isSeen(placed.object, mode, matrix)) this.#hasSeen = true;
    else this.#unseen.push(placed);
  }

  #isSeen(object: number, mode: number, matrix: Matrix): boolean {
    const isStroked = strokes.only.includes(mode) || strokes.too.includes(mode);
    if (isStroked && this.#isPaintSeen('FPDFPageObj_GetStrokeColor', object, matrix)) return true;
    return !strokes.only.includes(mode) && this.#isPaintSeen('FPDFPageObj_GetFillColor', object, matrix);
  }

  #isPaintSeen(name: string, object: number, matrix: Matrix): boolean {
    const paint = this.#paintOf(name, object);
    if (paint === undefined) return true;
    if (paint.opacity <= opacity.seen) return false;
    // Most letters are like neither the paper nor what the page is painted with, and need no further look.
    const isLikePaper = isNear(paint, white) || (this.#paper !== undefined && isNear(paint, this.#paper));
    return !isLikePaper || !this.#isLikeGround(paint, this.#boxOf(object, matrix));
  }

  #isLikeGround(paint: Paint, { left, right, bottom, top }: Box): boolean {
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    const ground = this.#grounds.findLast((one) => one.left <= x && x <= one.right && one.bottom <= y && y <= one.top);
    return ground === undefined ? isNear(paint, white) : ground.colour !== undefined && isNear(paint, ground.colour);
  }

  #atPath(object: number, matrix: Matrix): void {
    const { isFilled, isStroked } = this.#page.drawingOf(object);
    if (isFilled) {
      const paint = this.#paintOf('FPDFPageObj_GetFillColor', object);
      if (paint !== undefined && paint.opacity <= opacity.seen) return;
      const colour = paint === undefined || paint.opacity < opacity.covers ? undefined : paint;
      this.#cover({ ...this.#paintedOf(object, matrix), colour });
    } else if (isStroked && this.#page.lineOf(object) >= wideLine) {
      this.#cover({ ...this.#paintedOf(object, matrix), colour: undefined });
    }
  }

  #cover(ground: Ground): void {
    this.#grounds.push(ground);
    if (this.#grounds.length > 2 * mostGrounds) this.#grounds = this.#grounds.slice(-mostGrounds);
    if (areaOf(ground) >= this.#half) this.#paper = ground.colour;
  }

  #paintOf(name: string, object: number): (Paint & { readonly opacity: number }) | undefined {
    const parts = this.#page.colourOf(name, object);
    return parts && { red: parts[0], green: parts[1], blue: parts[2], opacity: parts[3] };
  }

  /** The part of an object that is painted: much is drawn larger than it is shown. */
  #paintedOf(object: number, matrix: Matrix): Box {
    const clips = this.#page.clipsOf(object, mostClipSegments).map((edges) => boxAt(edges, matrix));
    const boxes = [this.#boxOf(object, matrix), ...clips];
    return {
      left: Math.max(...boxes.map(({ left }) => left)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      right: Math.min(...boxes.map(({ right }) => right)),
      top: Math.min(...boxes.map(({ top }) => top)),
    };
  }

  #boxOf(object: number, matrix: Matrix): Box {
    return boxAt(this.#page.edgesOf(object), matrix);
  }
}

/** The box around these edges, once they are where the matrix places them. */
function boxAt([left, bottom, right, top]: ReturnType<PdfPage['edgesOf']>, matrix: Matrix): Box {
  if (matrix === upright) return { left, bottom, right, top };
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ].map(([x = 0, y = 0]) => moved(x, y, matrix));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
}

function areaOf({ left, bottom, right, top }: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

function moved(x: number, y: number, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The matrix that places by `inner`, and then by `outer`. */
function product(inner: Matrix, outer: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = inner;
  const [, , , , outerX = 0, outerY = 0] = outer;
  const [ax, ay] = moved(a, b, outer);
  const [cx, cy] = moved(c, d, outer);
  return [ax - outerX, ay - outerY, cx - outerX, cy - outerY, ...moved(e, f, outer)];
}
