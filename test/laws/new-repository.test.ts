import {execFileSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {newConfig} from '../../src/pod/permissions/confine/git-new-config.ts';

/** Each setting of this git gets each of these values. A name can be any of the words. */
const flags = ['true', 'false'];
const words = [
	...flags,
	'0',
	'1',
	'always',
	'current',
	'input',
	'n',
	'on-demand',
	'origin',
	'sh',
	'sha1',
	'sha256',
	'x',
];
const places = ['../x', './x', '/tmp/x', 'https://host/x', 'ssh://host/x', 'u@host:x'];
const options = ['--no-tags', '--tags'];
const values = [
	...[
		...words,
		...places,
		...options,
		'.',
		'!sh',
		'--upload-pack=x',
		':/x',
		'a@b.c',
		'blob:none',
		'ext::sh',
		'tree:0',
	],
	...['refs/heads/main', '+refs/heads/*:refs/remotes/origin/*', 'refs/heads/main:refs/remotes/origin/main'],
	...['+refs/*:refs/*', '+refs/heads/*:refs/heads/*', '+refs/heads/*:refs/remotes/up/*', '+refs/tags/*:refs/tags/*'],
];

const own = {
	extensions: ['noop', 'objectFormat', 'partialClone', 'preciousObjects', 'refStorage', 'worktreeConfig'],
	'filter.*': ['clean', 'process', 'required', 'smudge'],
	'remote.*': [
		...['fetch', 'mirror', 'partialCloneFilter', 'promisor', 'proxy', 'prune', 'pruneTags', 'push', 'pushurl'],
		...['receivepack', 'skipDefaultUpdate', 'skipFetchAll', 'tagOpt', 'uploadpack', 'url', 'vcs'],
	],
	'submodule.*': ['active', 'branch', 'fetchRecurseSubmodules', 'ignore', 'update', 'url'],
	'branch.*': ['description', 'merge', 'mergeOptions', 'pushRemote', 'rebase', 'remote'],
	'url.*': ['insteadOf', 'pushInsteadOf'],
};
const keys = [
	...execFileSync('git', ['help', '--config-for-completion'], {encoding: 'utf8'}).trim().split('\n'),
	...Object.entries(own).flatMap(([section, names]) => names.map(name => `${section}.${name}`)),
];

/** Returns what a new repository keeps of one setting: its values in order. */
function kept(key: string): readonly string[] {
	const names = key.replaceAll(/<[^>]*>|\*/g, 'origin').split('.');
	const [section = '', name = ''] = [names[0], names.at(-1)];
	const header = names.length < 3 ? `[${section}]` : `[${section} "${names.slice(1, -1).join('.')}"]`;
	const bare = '[core]\n\trepositoryformatversion = 0\n';
	return values.filter(value => {
		const config = newConfig(`${bare}${header}\n\t${name} = ${value}\n`, undefined);
		return config !== undefined && config.isWhole && /^\t(?!repositoryformatversion)/m.test(config.text);
	});
}

/**
No setting lets git connect, run a program, delete or overwrite more than a command of the user says: no push of all
references, no fetch into branches, no fetch of objects that are missing.
*/
const allowed: Readonly<Record<string, readonly string[]>> = {
	'core.bare': flags,
	'core.fileMode': flags,
	'core.ignoreCase': flags,
	'core.logAllRefUpdates': ['true'],
	'core.precomposeUnicode': flags,
	'core.symlinks': flags,
	'extensions.objectFormat': ['sha1', 'sha256'],
	'remote.*.url': places,
	'remote.*.fetch': ['+refs/heads/*:refs/remotes/origin/*', 'refs/heads/main:refs/remotes/origin/main'],
	'remote.*.tagOpt': options,
	'branch.*.remote': [...words, '.', 'a@b.c', 'refs/heads/main'],
	'branch.*.merge': ['refs/heads/main'],
	'submodule.*.url': places,
	'submodule.*.active': [...flags, '.'],
	'submodule.active': [...flags, '.'],
	'user.email': [...words, ...options, '.', 'a@b.c'],
	'user.name': [...words, ...options, '.', 'a@b.c'],
};

describe('the configuration of a repository that a confined command made', () => {
	it('has only these settings', () => {
		const found = keys.flatMap(key => (kept(key).length > 0 ? [[key, kept(key)] as const] : []));
		expect(keys.length).toBeGreaterThan(500);
		expect(Object.fromEntries(found)).toEqual(allowed);
	});
});
