import {mkdtemp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {writeWhole} from '../../../src/cli/export/destination.ts';

async function folder(): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), 'inkpod-destination-'));
	onTestFinished(async () => rm(path, {recursive: true, force: true}));
	return path;
}

async function* broken(): AsyncIterable<Uint8Array> {
	yield Buffer.from('half');
	throw Object.assign(new Error('no space'), {code: 'ENOSPC'});
}

describe('writing an export', () => {
	it('without force leaves a file that appeared meanwhile', async () => {
		const file = join(await folder(), 'out.md');
		await writeFile(file, 'mine');
		expect(await writeWhole(file, Buffer.from('export'), false)).toMatch(/EEXIST/);
		expect(await readFile(file, 'utf8')).toBe('mine');
	});

	it('with force replaces a file as a whole', async () => {
		const at = await folder();
		await writeFile(join(at, 'out.md'), 'mine');
		expect(await writeWhole(join(at, 'out.md'), Buffer.from('export'), true)).toBeUndefined();
		expect(await readFile(join(at, 'out.md'), 'utf8')).toBe('export');
		expect(await readdir(at)).toEqual(['out.md']);
	});

	it.each([false, true])('leaves no part of an export that failed (force: %s)', async force => {
		const at = await folder();
		expect(await writeWhole(join(at, 'out.md'), broken(), force)).toMatch(/ENOSPC/);
		expect(await readdir(at)).toEqual([]);
	});
});
