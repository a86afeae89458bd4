/** The part of `recheck` that needs nothing but JavaScript. The package has types for its main file only. */
declare module 'recheck/lib/browser.js' {
  type Complexity = { readonly type: 'polynomial'; readonly degree: number } | { readonly type: 'exponential' };
  type Checked =
    | { readonly status: 'safe' }
    | { readonly status: 'vulnerable'; readonly complexity: Complexity }
    | { readonly status: 'unknown' };
  const recheck: {
    readonly checkSync: (source: string, flags: string, options: { readonly timeout: number }) => Checked;
  };
  export = recheck;
}
