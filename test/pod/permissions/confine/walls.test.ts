import {chmod, symlink, writeFile} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {partCopied} from '../../../../src/pod/permissions/confine/walls.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('copies small files of /etc, and folders of a few, with their permissions, and mounts everything else', async () => {
	const project = await tempProject({
		...{hosts: 'h', script: 's', private: 'p', 'few/a': '', 'few/b': '', 'linked/a': '', 'deep/a/b': ''},
		...Object.fromEntries(Array.from({length: 9}, (_, n) => [`many/${n}`, ''])),
	});
	const from = (name: string) => project.path(name);
	for (const [name, mode] of Object.entries({hosts: 0o644, 'few/a': 0o644, 'few/b': 0o444, script: 0o755}))
		await chmod(from(name), mode);
	await chmod(from('private'), 0o640);
	await symlink('/nowhere', from('linked/b'));
	await writeFile(from('large'), Buffer.alloc(256 * 1024 + 1));
	const at = (name: string) => ({path: `/etc/${name}`, source: from(name)});
	const mounted = ['private', 'linked', 'deep', 'many', 'large', 'missing'].map(at);
	const elsewhere = {path: '/home/me/cert.pem', source: from('hosts')};
	const {copied, ...rest} = partCopied([...['hosts', 'script', 'few'].map(at), ...mounted, elsewhere]);
	expect(rest).toEqual({mounted: [...mounted, elsewhere]});
	expect(copied.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
		{...at('few/a'), mode: 0o644},
		{...at('few/b'), mode: 0o644},
		{...at('hosts'), mode: 0o644},
		{...at('script'), mode: 0o755},
	]);
});
