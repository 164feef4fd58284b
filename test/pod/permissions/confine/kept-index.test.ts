import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {keepIndex, maxKeptBytes} from '../../../../src/pod/permissions/confine/kept-index.ts';
import {folderWith} from '../../../helpers/layers.ts';

describe('the copy of an index', () => {
	const kept = async (folder: string) => {
		const copy = join(folder, 'copy');
		await keepIndex(folder, copy);
		return existsSync(copy) ? readFileSync(copy, 'utf8') : undefined;
	};

	it('has its contents', async () => {
		expect(await kept(folderWith({'.git/index': 'DIRC'}))).toBe('DIRC');
	});

	it('is only made of a regular file of a usual size', async () => {
		expect(await kept(folderWith({'a.txt': ''}))).toBeUndefined();
		expect(await kept(folderWith({'.git': 'gitdir: x'}))).toBeUndefined();
		expect(await kept(folderWith({'.git/index': '-> ../a.txt', 'a.txt': 'secret'}))).toBeUndefined();
		const fifo = folderWith({'.git/x': ''});
		execFileSync('mkfifo', [join(fifo, '.git/index')]);
		expect(await kept(fifo)).toBeUndefined();
		const large = folderWith({'.git/index': ''});
		truncateSync(join(large, '.git/index'), maxKeptBytes + 1);
		expect(await kept(large)).toBeUndefined();
	});
});
