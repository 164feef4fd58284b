import {chmod, writeFile} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {partCopied} from '../../../src/pod/confine/copied-files.ts';
import {tempProject} from '../../helpers/temp-project.ts';

it('copies small files of /etc with their kind of permissions, and mounts everything else', async () => {
	const project = await tempProject({hosts: 'h', script: 's', 'folder/x': ''});
	const path = (name: string) => project.path(name);
	await chmod(path('script'), 0o750);
	await writeFile(path('large'), Buffer.alloc(256 * 1024 + 1));
	const places = ['hosts', 'script', 'folder', 'large', 'missing'].map(name => ({
		path: `/etc/${name}`,
		source: path(name),
	}));
	const elsewhere = {path: '/home/me/cert.pem', source: path('hosts')};
	const [hosts, script, ...others] = places;
	expect(partCopied([...places, elsewhere])).toEqual({
		mounted: [...others, elsewhere],
		copied: [
			{...hosts, mode: 0o644},
			{...script, mode: 0o755},
		],
	});
});
