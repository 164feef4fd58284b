import {closeSync, lchownSync, openSync} from 'node:fs';
import {chmod, lchown, rename, stat, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {en} from '../../../src/language/index.ts';
import {
	foreignEntry,
	foreignOpened,
	foreignPath,
	foreignSentence,
	foreignSentences,
	ownersOf,
	strictOwners,
	type Foreign,
} from '../../../src/pod/scope/owners.ts';
import type {Owners} from '../../../src/pod/scope/scope.ts';
import {isRoot, otherUid} from '../../helpers/other-user.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

const me = process.getuid?.() ?? 0;

function judged(top: string, named: string, owners: Owners = strictOwners): Foreign | undefined {
	const fd = openSync(named, 'r');
	try {
		return foreignOpened(fd, {top, named}, owners);
	} finally {
		closeSync(fd);
	}
}

describe('ownersOf', () => {
	it.each([
		['you and root', {}, 1000, [1000, 0]],
		['root once', {}, 0, [0]],
		['the user who ran sudo, if you are root', {SUDO_UID: '1000'}, 0, [0, 1000]],
		['no user that SUDO_UID names, if you are not root', {SUDO_UID: '1001'}, 1000, [1000, 0]],
		['nobody else for a text', {SUDO_UID: '1e3'}, 0, [0]],
		['nobody else for a negative number', {SUDO_UID: '-1'}, 0, [0]],
		['nobody else for an empty text', {SUDO_UID: ''}, 0, [0]],
	])('trusts %s', (_, env, uid, uids) => {
		expect(ownersOf(env, [], {uid, unmapped: []}).uids).toEqual(uids);
	});
});

describe('owners of a namespace and of a place', () => {
	it('include an owner that this namespace does not map, and no one else', () => {
		expect(ownersOf({}, [], {uid: 1000, unmapped: [65_534]}).uids).toEqual([1000, 0, 65_534]);
	});

	it('include the owner of the folder only with --trust-owner', async () => {
		const project = await tempProject();
		const own = {cwd: project.dir, trustOwner: true};
		const {uid} = await stat(project.dir);
		expect(ownersOf({}, [], {uid: 4711, unmapped: [], place: own}).uids).toEqual([...new Set([4711, 0, uid])]);
		expect(ownersOf({}, [], {uid: 4711, unmapped: [], place: {cwd: project.dir}}).uids).toEqual([4711, 0]);
		expect(ownersOf({}, [], {uid: 4711, unmapped: [], place: {...own, cwd: '/none'}}).uids).toEqual([4711, 0]);
	});
});

describe('foreignOpened', () => {
	const modes: ReadonlyArray<
		readonly [string, (project: TempProject) => Promise<unknown>, Foreign['why']['kind'] | undefined]
	> = [
		['your file in your folder is used', async () => {}, undefined],
		[
			'a file that your group may change is used',
			async project => chmod(project.path('AGENTS.md'), 0o664),
			undefined,
		],
		['a folder that your group may change is used', async project => chmod(project.dir, 0o775), undefined],
		[
			'a file that everybody may change is not',
			async project => chmod(project.path('AGENTS.md'), 0o666),
			'writable',
		],
		['a folder that everybody may change is not', async project => chmod(project.dir, 0o777), 'writable'],
		['a folder like /tmp is used', async project => chmod(project.dir, 0o1777), undefined],
	];
	it.each(modes)('%s', async (_, prepare, kind) => {
		const project = await tempProject({'AGENTS.md': 'x'});
		await prepare(project);
		expect(judged(project.dir, project.path('AGENTS.md'))?.why.kind).toBe(kind);
	});

	const owned: ReadonlyArray<readonly [string, readonly string[], number, boolean]> = [
		['a file of yours', [], me, false],
		['a file of another user', ['AGENTS.md'], otherUid, true],
		['a file in a folder of another user', ['.'], otherUid, true],
		['a file and a folder of another user', ['.', 'AGENTS.md'], otherUid, true],
		['a file in a subfolder of another user', ['.inkpod'], otherUid, true],
	];
	it.runIf(isRoot).each(owned)('%s', async (_, given, uid, isForeign) => {
		const project = await tempProject({'AGENTS.md': 'x', '.inkpod/workflows/a.md': 'x'});
		for (const name of given) await lchown(project.path(name), uid, uid);
		const named = project.path(given.includes('.inkpod') ? '.inkpod/workflows/a.md' : 'AGENTS.md');
		expect(judged(project.dir, named)?.why).toEqual(isForeign ? {kind: 'owner', uid: otherUid} : undefined);
		expect(judged(project.dir, named, ownersOf({}, [project.dir]))).toBeUndefined();
		expect(judged(project.dir, named, ownersOf({}, [`${dirname(project.dir)}/*`]))).toBeUndefined();
		expect(judged(project.dir, named, ownersOf({}, ['/*']))).toBeUndefined();
		expect(
			judged(project.dir, named, ownersOf({}, [`${project.dir}-x`, `${project.dir}/sub`, dirname(project.dir)]))
				?.folder,
		).toBe(isForeign ? project.dir : undefined);
		expect(judged(project.dir, named, ownersOf({SUDO_UID: String(otherUid)}))).toBeUndefined();
	});

	it.runIf(isRoot)('checks a link, its target folder and the file there', async () => {
		const project = await tempProject({'shared/AGENTS.md': 'x', 'own/': ''});
		const link = await project.link('own/AGENTS.md', '../shared/AGENTS.md');
		expect(judged(project.path('own'), link)).toBeUndefined();
		await lchown(link, otherUid, otherUid);
		expect(judged(project.path('own'), link)).toMatchObject({at: link, folder: project.path('own')});
		await lchown(link, me, me);
		await lchown(project.path('shared'), otherUid, otherUid);
		expect(judged(project.path('own'), link)).toMatchObject({
			at: project.path('shared'),
			folder: project.path('shared'),
		});
		expect(judged(project.path('own'), link, ownersOf({}, [project.path('own')]))).toBeDefined();
		expect(judged(project.path('own'), link, ownersOf({}, [project.path('shared')]))).toBeUndefined();
	});

	it.runIf(isRoot)('checks the opened file, whatever its path leads to later', async () => {
		const project = await tempProject({'AGENTS.md': 'theirs', 'mine.md': 'mine'});
		lchownSync(project.path('AGENTS.md'), otherUid, otherUid);
		const fd = openSync(project.path('AGENTS.md'), 'r');
		try {
			await rename(project.path('mine.md'), project.path('AGENTS.md'));
			let verdict: unknown;
			try {
				verdict = foreignOpened(fd, {top: project.dir, named: project.path('AGENTS.md')}, strictOwners);
			} catch (error) {
				verdict = error;
			}
			expect(verdict).toBeDefined();
		} finally {
			closeSync(fd);
		}
	});

	it('refuses a file that was moved out of its folder while it was open', async () => {
		const project = await tempProject({'AGENTS.md': 'x'});
		const fd = openSync(project.path('AGENTS.md'), 'r');
		try {
			await rename(project.path('AGENTS.md'), project.path('other.md'));
			await writeFile(project.path('AGENTS.md'), 'y');
			const judge = () => foreignOpened(fd, {top: project.dir, named: project.path('AGENTS.md')}, strictOwners);
			if (process.platform === 'linux') expect(judge()).toBeUndefined();
			else expect(judge).toThrow(/moved/);
		} finally {
			closeSync(fd);
		}
	});
});

describe('foreignEntry', () => {
	it('ignores a missing entry', async () => {
		const project = await tempProject();
		expect(foreignEntry(project.dir, '.git', strictOwners)).toBeUndefined();
	});

	it.runIf(isRoot).each([
		['a .git of another user', '.git', true],
		['a folder of another user', '.', true],
		['an entry of the user', undefined, false],
	])('checks %s', async (_, given, isForeign) => {
		const project = await tempProject({'.git/': ''});
		if (given !== undefined) await lchown(project.path(given), otherUid, otherUid);
		expect(foreignEntry(project.dir, '.git', strictOwners) !== undefined).toBe(isForeign);
		expect(foreignEntry(project.dir, '.git', ownersOf({}, [project.dir]))).toBeUndefined();
	});
});

describe('foreignPath', () => {
	it('checks folders without opening anything', async () => {
		const project = await tempProject({'.inkpod/workflows/': ''});
		const named = project.path('.inkpod/workflows');
		expect(foreignPath({top: project.dir, named}, strictOwners)).toBeUndefined();
		await chmod(project.path('.inkpod'), 0o777);
		expect(foreignPath({top: project.dir, named}, strictOwners)).toMatchObject({
			at: project.path('.inkpod'),
			folder: project.dir,
		});
	});

	it('checks nothing on systems without file owners', async () => {
		const project = await tempProject({'AGENTS.md': ''});
		await symlink('AGENTS.md', project.path('link'));
		await chmod(project.dir, 0o777);
		expect(foreignPath({top: project.dir, named: project.path('link')}, {safe: [], file: ''})).toBeUndefined();
	});
});

describe('foreignSentence', () => {
	const owners = ownersOf({HOME: '/home/me'});
	it.each<[string, Foreign, string]>([
		[
			'the owner of a file',
			{path: '/p/AGENTS.md', folder: '/p', at: '/p/AGENTS.md', why: {kind: 'owner', uid: 7}},
			'"/p/AGENTS.md" is not used: it belongs to another user (uid 7).',
		],
		[
			'the owner of a folder',
			{path: '/p/.git', folder: '/p', at: '/p', why: {kind: 'owner', uid: 7}},
			'"/p/.git" is not used: "/p" belongs to another user (uid 7).',
		],
		[
			'a folder that is open to all',
			{path: '/p/a', folder: '/p', at: '/p', why: {kind: 'writable'}},
			'"/p/a" is not used: every user may change "/p".',
		],
	])('names %s and the line to add', (_, foreign, first) => {
		expect(foreignSentence(en, foreign, owners)).toBe(
			`${first} To use the files in that folder anyway, add this to "/home/me/.config/inkpod/config.toml": ` +
				'[trust] safe_directories = ["/p"].',
		);
	});
	it('returns an inert sentence', () => {
		const path = join('/p', '\u001B[31m\u202E.md');
		expect(
			foreignSentence(en, {path, folder: dirname(path), at: path, why: {kind: 'writable'}}, owners),
		).not.toMatch(/[\u001B\u202E]/u);
	});
	it('returns one sentence per folder', () => {
		const why = {kind: 'owner', uid: 7} as const;
		const list: Foreign[] = ['a', 'b'].map(name => ({path: `/p/${name}`, folder: '/p', at: '/p', why}));
		expect(foreignSentences([...list, {path: '/q/c', folder: '/q', at: '/q', why}], owners)).toEqual([
			expect.stringMatching(
				/^"\/p\/a", "\/p\/b" are not used: another user .* \(uid 7\)\. .* safe_directories = \["\/p"\]\.$/,
			),
			expect.stringMatching(/^"\/q\/c" is not used: /),
		]);
	});
});
