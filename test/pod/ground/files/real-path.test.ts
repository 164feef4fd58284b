import {mkdirSync, symlinkSync} from 'node:fs';
import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {realPath} from '../../../../src/pod/ground/files/real-path.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('the real path of a file', () => {
	it('is that of the target of a link, even if its name has a U+FFFD of its own', async () => {
		const {dir} = await tempProject({});
		await mkdir(join(dir, 'a\ufffd'), {recursive: true});
		await symlink('a\ufffd', join(dir, 'link'));
		expect(await realPath(join(dir, 'link'))).toBe(join(dir, 'a\ufffd'));
	});

	it.runIf(process.platform === 'linux')(
		'is refused when it is not UTF-8, because another file has its name',
		async () => {
			const {dir} = await tempProject({'a\ufffd/file': 'other'});
			const bad = Buffer.concat([Buffer.from(`${dir}/a`), Buffer.of(0xff)]);
			mkdirSync(bad);
			symlinkSync(bad, join(dir, 'link'));
			await expect(realPath(join(dir, 'link'))).rejects.toMatchObject({code: 'EILSEQ'});
		},
	);
});
