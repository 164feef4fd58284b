import {describe, expect, it} from 'vitest';
import {unsafeEntry, type PathEntry} from '../../../../src/pod/ground/files/path-safety.ts';

const [me, other] = [1000, 1001];

/** The `rwx` bits in octal, the owner, and the target of a link. */
type Written = readonly [mode: number, uid: number, target?: string];

/** Returns a disk with these entries. Every other folder belongs to root and has mode 0755. */
function disk(entries: Readonly<Record<string, Written>>): (path: string) => PathEntry {
	return path => {
		const [mode, uid, target] = entries[path] ?? [0o755, 0];
		if (target === 'file') return {kind: 'other', uid, mode};
		return target === undefined ? {kind: 'directory', uid, mode} : {kind: 'link', uid, mode, target};
	};
}

const tmp: Written = [0o1777, 0];
const loop: Written = [0o777, me, 'loop'];

describe('a path to a folder', () => {
	it.each<[string, string, Record<string, Written>]>([
		['that belongs to root alone', '/run/user', {}],
		['that belongs to root and you', '/run/user/1000', {'/run/user/1000': [0o700, me]}],
		['through a sticky folder', '/tmp/mine', {'/tmp': tmp, '/tmp/mine': [0o700, me]}],
		['through your folder that others may read', '/home/me/run', {'/home/me': [0o755, me]}],
		['through your sticky folder', '/home/me/tmp/a', {'/home/me/tmp': [0o1777, me]}],
		['through a sticky folder that a group may change', '/srv/tmp', {'/srv': [0o1775, 0]}],
		['through a link that belongs to root', '/var/tmp/a', {'/var': [0o777, 0, 'private/var']}],
		['through your absolute link', '/home/me/run/a', {'/home/me/run': [0o777, me, '/run/user/1000']}],
		['through a link in a link', '/a/x', {'/a': [0o777, 0, '/b'], '/b': [0o777, 0, 'c/d']}],
		['through a link that goes up', '/a/b/c', {'/a/b': [0o777, 0, '../d']}],
		['with dots in it', '/a/./b/../c', {}],
		['above the root', '/../../a', {}],
	])('%s is safe', (_name, path, entries) => {
		expect(unsafeEntry(path, {uids: [me, 0], lookAt: disk(entries)})).toBeUndefined();
	});

	it.each<[string, string, Record<string, Written>, string, string]>([
		['the root is open to all', '/a', {'/': [0o777, 0]}, 'open', '/'],
		['the root belongs to another user', '/a', {'/': [0o755, other]}, 'foreign', '/'],
		['the parent is open to all', '/a/b', {'/a/b': [0o777, me]}, 'open', '/a/b'],
		['a folder far above is open to all', '/a/b/c/d/e', {'/a': [0o777, 0], '/a/b': [0o755, me]}, 'open', '/a'],
		['a folder above is open to its group', '/a/b/c', {'/a/b': [0o775, me]}, 'open', '/a/b'],
		['a folder above that belongs to root is open to its group', '/a/b/c', {'/a': [0o775, 0]}, 'open', '/a'],
		['a folder above is open to others but not to the group', '/a/b', {'/a': [0o757, 0]}, 'open', '/a'],
		['a folder above may be written without being read', '/a/b', {'/a': [0o733, 0]}, 'open', '/a'],
		[
			'a folder above belongs to another user',
			'/home/her/run',
			{'/home/her': [0o755, other]},
			'foreign',
			'/home/her',
		],
		[
			'a closed folder above belongs to another user',
			'/home/her/run',
			{'/home/her': [0o711, other]},
			'foreign',
			'/home/her',
		],
		['a sticky folder above belongs to another user', '/t/mine', {'/t': [0o1777, other]}, 'foreign', '/t'],
		[
			'a folder in a sticky one belongs to another user',
			'/tmp/a/b',
			{'/tmp': tmp, '/tmp/a': [0o755, other]},
			'foreign',
			'/tmp/a',
		],
		[
			'a link in a sticky folder belongs to another user',
			'/tmp/a/b',
			{'/tmp': tmp, '/tmp/a': [0o777, other, '/run']},
			'foreign',
			'/tmp/a',
		],
		[
			'a link leads through an open folder',
			'/l/b',
			{'/l': [0o777, 0, '/open/in'], '/open': [0o777, 0]},
			'open',
			'/open',
		],
		['a link leads to an open folder', '/l', {'/l': [0o777, 0, '/open'], '/open': [0o777, 0]}, 'open', '/open'],
		[
			'a link leads to a foreign folder',
			'/l',
			{'/l': [0o777, 0, 'her'], '/her': [0o755, other]},
			'foreign',
			'/her',
		],
		[
			'a link in a link leads to an open folder',
			'/a',
			{'/a': [0o777, 0, '/b'], '/b': [0o777, me, 'c'], '/c': [0o722, 0]},
			'open',
			'/c',
		],
		[
			'a link goes up past an open folder',
			'/a/b/l',
			{'/a/b/l': [0o777, 0, '../../c'], '/a/b': [0o777, 0]},
			'open',
			'/a/b',
		],
		['a link leads to itself', '/loop', {'/loop': loop}, 'misshapen', '/loop'],
		['one of its parts is a file', '/a/b', {'/a': [0o644, 0, 'file']}, 'misshapen', '/a'],
	])('is not safe when %s', (_name, path, entries, reason, at) => {
		expect(unsafeEntry(path, {uids: [me, 0], lookAt: disk(entries)})).toEqual({reason, path: at});
	});

	it('is safe for root only if everything in it belongs to root', () => {
		expect(unsafeEntry('/home/me', {uids: [0], lookAt: disk({'/home/me': [0o755, me]})})).toEqual({
			reason: 'foreign',
			path: '/home/me',
		});
		expect(unsafeEntry('/root/run', {uids: [0], lookAt: disk({})})).toBeUndefined();
	});

	it('may be open to its group if only everybody counts', () => {
		const lookAt = disk({'/a': [0o775, me], '/b': [0o777, me]});
		expect(unsafeEntry('/a/c', {uids: [me, 0], writers: 0o002, lookAt})).toBeUndefined();
		expect(unsafeEntry('/b/c', {uids: [me, 0], writers: 0o002, lookAt})).toEqual({reason: 'open', path: '/b'});
	});
});
