import {describe, expect, it} from 'vitest';
import {shownLayers} from '../../../../src/pod/permissions/confine/shown-layers.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe.runIf(process.platform === 'linux')('shownLayers', () => {
	it('needs one overlay for all folders below a mount, and keeps the paths that a command sees', async () => {
		const {dir, walls, at} = await folders();
		const shown = [at('one'), {path: '/seen', source: `${dir}/two/deep`}];
		const {folders: lower, shownIn} = shownLayers({...walls, shown}, ['/', dir]);
		expect(lower).toEqual([dir]);
		expect(shownIn(['/overlay'])).toEqual([
			{path: `${dir}/one`, source: '/overlay/one'},
			{path: '/seen', source: '/overlay/two/deep'},
		]);
	});

	it('makes the overlay of no folder that contains a mount or is the root folder', async () => {
		const {dir, walls, at} = await folders();
		const shown = [at('one'), at('two/deep')];
		const inside = shownLayers({...walls, shown}, ['/', `${dir}/two/other`]);
		expect(inside.folders).toEqual([`${dir}/one`, `${dir}/two/deep`]);
		const [, first = ''] = dir.split('/');
		expect(shownLayers({...walls, shown}, ['/']).folders).toEqual([`/${first}`]);
	});

	it('leaves a folder as it is if it contains a mount, or if overlayfs does not accept its file system', async () => {
		const {dir, walls, at} = await folders();
		const shown = [at('two'), {path: '/proc/sys', source: '/proc/sys'}];
		const {folders: lower, shownIn} = shownLayers({...walls, shown}, ['/', '/proc', `${dir}/two/deep`]);
		expect(lower).toEqual([]);
		expect(shownIn([])).toEqual(shown);
	});

	it('leaves files, folders of the system, and folders with layers of their own as they are', async () => {
		const {walls, at} = await folders();
		const shown = [at('one/file'), {path: '/usr', source: '/usr'}, at('project/in'), at('write')];
		const {folders: lower, shownIn} = shownLayers({...walls, shown}, ['/']);
		expect(lower).toEqual([]);
		expect(shownIn([])).toEqual(shown);
	});
});

async function folders() {
	const project = await tempProject({
		...{'one/file': '', 'two/deep/x': '', 'two/other/x': '', 'project/in/x': '', 'write/x': ''},
	});
	const at = (name: string) => ({path: project.path(name), source: project.path(name)});
	const walls = {pwd: project.path('project'), writable: [project.path('write')]};
	return {dir: project.dir, walls, at};
}
