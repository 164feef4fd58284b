import {expect, it} from 'vitest';
import {mapsOverflowUid, unmappedOwners} from '../../../src/pod/platform/system.ts';

it.each([
	['every uid, as outside of a namespace', '         0          0 4294967295\n', true],
	['one uid, as in a sandbox', '      1001       1001          1\n', false],
	['root only', '         0       1001          1\n', false],
	['a range of a container', '0 100000 65536\n', true],
	['a short range', '0 100000 65534\n', false],
	['the uid itself in a second line', '0 1001 1\n65534 100000 1\n', true],
	['nothing', '', false],
])('a map of %s decides whether uid 65534 is a user', (_, map, isMapped) => {
	expect(mapsOverflowUid(map)).toBe(isMapped);
});

it('no other uid counts as unmapped', () => {
	expect([[], [65_534]]).toContainEqual(unmappedOwners());
});
