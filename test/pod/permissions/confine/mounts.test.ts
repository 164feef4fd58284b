import {describe, expect, it} from 'vitest';
import {hasMountIn, mountPoints} from '../../../../src/pod/permissions/confine/mounts.ts';

describe('hasMountIn', () => {
	it('tells whether a mount is below a folder, and does not count a mount of the folder itself', () => {
		const points = ['/', '/home', '/srv/a b'];
		expect(['/', '/srv', '/home', '/srv/a', '/srv/a b'].map(folder => hasMountIn(folder, points))).toEqual([
			...[true, true, false, false, false],
		]);
	});
});

it.runIf(process.platform === 'linux')('finds the mounts of the machine', () => {
	expect(mountPoints()).toContain('/proc');
});
