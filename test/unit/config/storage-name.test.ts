import { describe, expect, it } from 'vitest';
import type { StorageSettings } from '../../../src/config/settings.ts';
import { storageName } from '../../../src/config/storage-name.ts';

const postgres = (url: string): StorageSettings => ({ type: 'postgres', path: '/data', url, maxConnections: 10 });

describe('the name of the storage (contract/configuration.md#commands)', () => {
  it.each([
    ['postgres://ann:hunter2@db.example.com:5433/helper?sslmode=verify-full', 'PostgreSQL db.example.com:5433/helper'],
    ['postgresql://ann:p@ss@db/helper', 'PostgreSQL db/helper'],
    ['postgres://ann@/helper?host=/var/run/postgresql&password=hunter2', 'PostgreSQL /var/run/postgresql/helper'],
    ['postgres:///helper', 'PostgreSQL localhost/helper'],
    ['postgres://u:hunter?2@db/helper', 'PostgreSQL at an address that cannot be shown'],
  ])('says where %s is, and no password', (url, name) => {
    expect(storageName(postgres(url))).toBe(name);
  });

  it('is the folder of a file, and nothing where nothing is kept', () => {
    const others = { path: '/data', url: null, maxConnections: 10 };
    expect(storageName({ type: 'embedded', ...others })).toBe('/data');
    expect(storageName({ type: 'memory', ...others })).toBeNull();
  });
});
