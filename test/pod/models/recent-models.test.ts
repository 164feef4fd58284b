import {mkdir, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {addRecentModel, readRecentModels} from '../../../src/pod/models/recent-models.ts';
import {stateHome} from '../../../src/pod/disk/paths.ts';
import {tempHome} from '../disk/fixture.ts';

describe('the recent models', () => {
	it('begin with the latest, once each, and are at most eight', async () => {
		const {env} = await tempHome();
		expect(await readRecentModels(env)).toEqual([]);
		for (const name of ['a/1', 'a/2', 'a/1', ...Array.from({length: 8}, (_, n) => `b/${n}`)])
			await addRecentModel(env, name);
		expect(await readRecentModels(env)).toEqual(Array.from({length: 8}, (_, n) => `b/${7 - n}`));
		expect((await stat(join(stateHome(env), 'recent-models.json'))).mode & 0o777).toBe(0o600);
	});

	it('are none in a file that cannot be read', async () => {
		const {env} = await tempHome();
		const file = join(stateHome(env), 'recent-models.json');
		await mkdir(dirname(file), {recursive: true});
		await writeFile(file, '{"a": 1}');
		expect(await readRecentModels(env)).toEqual([]);
	});
});
