/** A stylesheet is imported as its minified text (scripts/build-widget.ts). */
declare module '*.css' {
  const text: string;
  export { text as default };
}
