import fs from 'node:fs';
import {expect, it} from 'vitest';
import {useBytePaths} from '../../../src/cli/start/byte-paths.ts';

it('changes nothing in a folder whose path is UTF-8', () => {
	const before = {...fs};
	expect(useBytePaths()).toBe(process.platform === 'linux');
	expect({...fs}).toEqual(before);
});
