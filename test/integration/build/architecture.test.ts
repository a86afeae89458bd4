import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { architecturePage, coreFloors, type Floor, withFloors } from '../../../scripts/core-floors.ts';

let floors: readonly Floor[];

beforeAll(async () => {
  floors = await coreFloors();
});

describe('the floors of the core', () => {
  it('have no arrow upwards', () => {
    const order = floors.map(({ name }) => name);
    const upwards = floors.flatMap(({ name, knows }) =>
      knows.filter((room) => order.indexOf(room) <= order.indexOf(name)).map((room) => `${name} → ${room}`),
    );
    expect(upwards).toEqual([]);
  });

  it('are all drawn, with arrows between them', () => {
    expect(floors.length).toBeGreaterThan(15);
    expect(floors.find(({ name }) => name === 'turn')?.knows).toContain('agents');
    expect(floors.at(-1)).toMatchObject({ name: 'base', knows: [] });
  });

  it('stand in docs/architecture.md as they are (`npm run generate`)', async () => {
    const page = await readFile(architecturePage, 'utf8');
    expect(page).toBe(await withFloors(page, floors));
  });

  it('are told to be stale when an arrow is missing there', async () => {
    const page = await readFile(architecturePage, 'utf8');
    const without = floors.map((floor) => (floor.name === 'turn' ? { ...floor, knows: [] } : floor));
    expect(await withFloors(page, without)).not.toBe(page);
  });
});
