import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createAsideCosts, readAsideCosts} from '../../../src/pod/btw/costs-file.ts';
import {stamp, systemClock, type Item} from '../../../src/worker/index.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const request = (model: string): Item =>
	stamp(systemClock(), {type: 'request', model, requestHash: '', startedAt: '2026-01-01T00:00:00.000Z'});
const message = stamp(systemClock(), {type: 'message', role: 'user', text: 'secret'});

describe('the file with what side questions cost', () => {
	it('contains only requests, and waits until the session has a history', async () => {
		const {dir} = await tempProject();
		const costs = createAsideCosts({dir, isMine: async () => true});
		const [one, two] = [request('a'), request('b')];
		expect(await costs.add([message, one])).toBe(true);
		expect(await readAsideCosts(dir)).toEqual([]);
		await writeFile(join(dir, 'history.json'), '');
		expect(await costs.add([two])).toBe(true);
		await costs.close();
		expect(await readAsideCosts(dir)).toEqual([one, two]);
		expect(await readFile(join(dir, 'asides.jsonl'), 'utf8')).not.toContain('secret');
	});

	it('is not written by a process that no longer owns the session', async () => {
		const {dir} = await tempProject();
		await writeFile(join(dir, 'history.json'), '');
		expect(await createAsideCosts({dir, isMine: async () => false}).add([request('a')])).toBe(false);
		expect(await readAsideCosts(dir)).toEqual([]);
	});

	it('is neither read nor written through a link, and may be a folder', async () => {
		const {dir} = await tempProject();
		await writeFile(join(dir, 'history.json'), '');
		await writeFile(join(dir, 'target'), `${JSON.stringify(request('a'))}\n`);
		await symlink('target', join(dir, 'asides.jsonl'));
		expect(await readAsideCosts(dir)).toEqual([]);
		expect(await createAsideCosts({dir, isMine: async () => true}).add([request('b')])).toBe(false);
		const other = join(dir, 'other');
		await mkdir(join(other, 'asides.jsonl'), {recursive: true});
		expect(await readAsideCosts(other)).toEqual([]);
	});
});
