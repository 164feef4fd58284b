import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, it} from 'vitest';
import {readLabel} from '../../../../src/pod/disk/list/label.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('reads a FIFO in place of a label as an empty label, without waiting for a writer', async () => {
	const {dir} = await tempProject();
	await promisify(execFile)('mkfifo', [join(dir, 'label.json')]);
	expect(await readLabel(dir)).toEqual({});
});
