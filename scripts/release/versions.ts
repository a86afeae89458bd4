/** Where the version of a release stands, and the section of the changelog. Text in, text out: nothing here reads or writes a file. */

/** The files that name the version, as globs below the project. */
export const filesWithVersion = [
  'package.json',
  'package-lock.json',
  'Dockerfile',
  'docker-compose.yml',
  'charts/helper/Chart.yaml',
  'README.md',
  'docs/guides/*.md',
  'charts/helper/README.md',
];

/** A file with the version `to` in every place where it had `from`: the package, the chart, the image, and addresses with `?v=`. */
export function withVersion(
  path: string,
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const old = from.replaceAll('.', String.raw`\.`);
  const places = [
    [/^package(-lock)?\.json$/, String.raw`("name": "helper-server",\s+"version": ")${old}(?=")`],
    [/Chart\.yaml$/, String.raw`(^(?:version|appVersion): )${old}(?=$)`],
    [/./, String.raw`(\bhelper:|\bhelper-server-|\bVERSION=|widget\.js\?v=)${old}(?![\w.-]*\d)`],
  ] as const;
  return places
    .filter(([paths]) => paths.test(path))
    .reduce((result, [, place]) => result.replaceAll(new RegExp(place, 'gm'), `$1${to}`), text);
}

/**
 * The changelog with what is unreleased as the section of the version.
 * @throws Error where nothing is unreleased, or the version is there already.
 */
export function withSection(changelog: string, version: string, day: string): string {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section of ${version} already`);
  const [before, after] = changelog.split(/^## Unreleased\n/m, 2);
  if (before === undefined || after === undefined || !/^\n*- /.test(after))
    throw new Error('CHANGELOG.md has nothing below "## Unreleased"');
  return `${before}## Unreleased\n\n## ${version} (${day})\n${after}`;
}

/** @throws Error where `to` is no version, or not a later one than `from`. */
export function checkLater(from: string, to: string): void {
  const parts = (version: string): readonly number[] => {
    if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) throw new Error(`${version} is no version such as 1.1.0`);
    return version.split('.').map(Number);
  };
  const [before, after] = [parts(from), parts(to)];
  const changed = after.findIndex((part, index) => part !== before[index]);
  if (changed < 0 || (after[changed] ?? 0) < (before[changed] ?? 0)) throw new Error(`${to} is not later than ${from}`);
}
