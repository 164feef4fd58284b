import {mkdir, realpath, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {keptOutputs, outputDir} from '../../../../src/pod/tools/processes/output-file.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('the folder of saved outputs is readable as soon as it contains an output', async () => {
	const {dir} = await tempProject();
	expect(keptOutputs(dir)).toEqual([]);
	await mkdir(outputDir(dir));
	expect(keptOutputs(dir)).toEqual([]);
	await writeFile(join(outputDir(dir), 'a.txt'), 'long');
	expect(keptOutputs(dir)).toEqual([await realpath(outputDir(dir))]);
});
