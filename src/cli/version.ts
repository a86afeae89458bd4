import packageDescription from '../../package.json' with { type: 'json' };

/** Name and version of this program. */
export function versionText(): string {
  return `helper ${packageDescription.version}, Node ${process.versions.node}\n`;
}
