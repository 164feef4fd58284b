import {chmod, mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {removeCell} from '../../../../src/pod/permissions/confine/journal.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('a cell is removed as a whole, with folders that cannot be entered beside many others', async () => {
	const {dir} = await tempProject();
	for (let round = 0; round < 10; round++) {
		const cell = join(dir, `cell${round}`);
		await mkdir(join(cell, 'work0/work'), {recursive: true});
		await writeFile(join(cell, 'work0/work/#1'), '');
		for (let n = 0; n < 20; n++) await mkdir(join(cell, `upper${n}/a/b`), {recursive: true});
		await chmod(join(cell, 'upper1/a'), 0);
		await chmod(join(cell, 'work0/work'), 0);
		await removeCell(cell);
	}
	await removeCell(join(dir, 'nothing'));
	expect(await readdir(dir)).toEqual([]);
});
