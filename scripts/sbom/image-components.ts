import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Component } from './bom.ts';

/** Node.js, and on Debian and its relatives the packages of the operating system. */
export function imageComponents(): readonly Component[] {
  const version = process.versions.node;
  const node = { name: 'node', version, purl: `pkg:generic/node@${version}` };
  return [component(node), ...debianPackages().map(component)];
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

function component({ name, version, purl }: Package): Component {
  return { 'bom-ref': purl, type: name === 'node' ? 'platform' : 'library', name, version, purl };
}

function debianPackages(): readonly Package[] {
  const release = readFileSync('/etc/os-release', 'utf8');
  const id = /^ID=(\w+)/m.exec(release)?.[1] ?? 'debian';
  const number = /^VERSION_ID="?([\d.]+)/m.exec(release)?.[1] ?? '';
  const format = '${Package} ${Version} ${Architecture}\n';
  let listed: string;
  try {
    listed = execFileSync('dpkg-query', ['--show', `--showformat=${format}`], { encoding: 'utf8' });
  } catch {
    return [];
  }
  return listed
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', architecture = ''] = line.split(' ');
      const purl = `pkg:deb/${id}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${id}-${number}`;
      return { name, version, purl };
    });
}
