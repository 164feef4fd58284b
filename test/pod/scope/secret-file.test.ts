import {link, mkdir, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {beforeEach, describe, expect, it, vi} from 'vitest';
import {readAgain} from '../../../src/pod/context/compaction/auto-read.ts';
import {readFolder} from '../../../src/pod/references/instructions/find.ts';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import {secretAt} from '../../../src/pod/scope/read.ts';
import {preflight} from '../../../src/pod/references/submission/preflight.ts';
import {resolveRefs} from '../../../src/pod/references/submission/refs.ts';
import {searchBuiltin} from '../../../src/pod/tools/search/grep-builtin.ts';
import {grepTool} from '../../../src/pod/tools/search/grep.ts';
import {readFileTool} from '../../../src/pod/tools/files/read-file.ts';
import {findRipgrep} from '../../../src/pod/tools/search/find-ripgrep.ts';
import {ripgrepEngine} from '../../../src/pod/tools/search/find-ripgrep.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';
import {runTool} from '../tools/run-tool.ts';

const {signal} = new AbortController();
const {maxScanBytes} = defaultLimits.fileRefs;
const {maxOutputBytes} = defaultLimits.tools;
const rg = findRipgrep(process.env['PATH'], {pwd: '/nowhere', writable: false, readRoots: [], home: '/'});

/** The only text about a secret that a tool may return. */
const word = 'correct-horse-battery';
const gitLogin = `[remote "origin"]\n\turl = https://me:${word}@example.com/x.git\n`;

/** Returns the output of a tool about a file. */
type Way = (project: TempProject, path: string) => Promise<string>;

const ways: Readonly<Record<string, Way>> = {
	async 'a file ref'({scope}, path) {
		const [ref] = await resolveRefs([{type: 'file_ref', path}], {scope, limits: defaultLimits.fileRefs, signal});
		return ref!.ok ? ref!.draft.text : ref!.reason;
	},
	async 'a preflight'({scope}, path) {
		const {refs} = await preflight([{type: 'file_ref', path}], {scope, limits: defaultLimits.fileRefs, signal});
		return refs[0]!.ok ? `${word} of ${refs[0]!.bytes} bytes` : refs[0]!.reason;
	},
	async 'an auto-read after a compaction'({scope}, path) {
		const read = await readAgain(
			{path},
			{scope, refuses: async () => undefined, maxScanBytes, estimate: () => 1, signal},
		);
		return read.ok ? read.draft('c').text : read.reason;
	},
	async read_file({scope}, path) {
		return (await runTool(readFileTool({scope, maxOutputBytes, maxScanBytes}), {path}, signal)).content;
	},
	async 'grep, built in'({scope}, path) {
		return (await runTool(grepTool({scope, maxOutputBytes, engine: searchBuiltin}), {pattern: word, path}, signal))
			.content;
	},
	...(rg !== undefined && {
		async 'grep, by ripgrep'({scope}: TempProject, path: string) {
			return (
				await runTool(
					grepTool({scope, maxOutputBytes, engine: ripgrepEngine(rg)}),
					{pattern: word, path},
					signal,
				)
			).content;
		},
	}),
};

/** Creates a secret and returns the path to request. */
type Kind = (project: TempProject, home: string) => Promise<string>;

async function linked(project: TempProject, from: string, to = 'notes.txt'): Promise<string> {
	await mkdir(dirname(project.path(to)), {recursive: true});
	await link(from, project.path(to));
	return to;
}

const kinds: Readonly<Record<string, Kind>> = {
	async 'a name'(project) {
		await project.write('.bash_history', word);
		return '.bash_history';
	},
	async 'a link to a name'(project) {
		await project.write('.pgpass', word);
		await symlink('.pgpass', project.path('notes.txt'));
		return 'notes.txt';
	},
	async 'a login in .git/config'(project) {
		await project.write('.git/config', gitLogin);
		return '.git/config';
	},
	async 'a login in the config of a bare repository'(project) {
		await project.write('mirror/config', gitLogin);
		return 'mirror/config';
	},
	async 'a login in the log of a bare repository'(project) {
		await project.write(
			'mirror/logs/HEAD',
			`0 1 n <a@b> 1 +0000\tclone: from https://x:${word}@example.com/x.git\n`,
		);
		return 'mirror/logs/HEAD';
	},
	async 'a link to a .git/config with a login'(project) {
		await project.write('.git/config', gitLogin);
		await symlink('.git/config', project.path('notes.txt'));
		return 'notes.txt';
	},
	async 'a .gitconfig with a header'(project) {
		await project.write('.gitconfig', `[http]\n\textraheader = Authorization: Basic ${word}\n`);
		return '.gitconfig';
	},
	'a hard link to a secret of the project': async project => linked(project, await project.write('.env', word)),
	'a hard link to a secret that is ignored': async project => {
		await project.write('.gitignore', '.env\n');
		return linked(project, await project.write('.env', word));
	},
	'a hard link to a secret deep in the project': async project =>
		linked(project, await project.write('a/b/c/d/.npmrc', word), 'x/y/notes.txt'),
	'a hard link to a hard link': async project => {
		await linked(project, await project.write('.netrc', word), 'one.txt');
		return linked(project, project.path('one.txt'), 'two.txt');
	},
	'a symbolic link to a hard link': async project => {
		await linked(project, await project.write('.netrc', word), 'one.txt');
		await symlink('one.txt', project.path('two.txt'));
		return 'two.txt';
	},
	'a hard link to a .git/config with a login': async project =>
		linked(project, await project.write('.git/config', gitLogin)),
	'a hard link to a key in the home folder': async (project, home) => {
		await mkdir(join(home, '.ssh'), {recursive: true});
		await writeFile(join(home, '.ssh', 'id_work'), word);
		return linked(project, join(home, '.ssh', 'id_work'));
	},
	'a hard link to a history in the home folder': async (project, home) => {
		await writeFile(join(home, '.zsh_history'), word);
		return linked(project, join(home, '.zsh_history'));
	},
	'a hard link to a login in the home folder': async (project, home) => {
		await mkdir(join(home, '.config/gh'), {recursive: true});
		await writeFile(join(home, '.config/gh/hosts.yml'), word);
		return linked(project, join(home, '.config/gh/hosts.yml'));
	},
};

describe.each(Object.entries(ways))('%s', (_way, tell) => {
	let home = '';
	let project: TempProject;
	beforeEach(async () => {
		project = await tempProject();
		home = await project.mkdir('../home');
		project = {...project, scope: {...project.scope, home}};
	});

	it.each(Object.entries(kinds))('reveals nothing of %s', async (_kind, make) => {
		const path = await make(project, home);
		const told = await tell(project, path);
		expect(told).not.toContain(word);
		expect(told).toMatch(/denied|looks like a secret|look like secrets/);
	});

	it.each<[string, (made: TempProject) => Promise<string>]>([
		[
			'a file with one name',
			async made => {
				await made.write('notes.txt', word);
				return 'notes.txt';
			},
		],
		['a hard link to such a file', async made => linked(made, await made.write('other.txt', word))],
		[
			'a hard link beside a secret',
			async made => {
				await made.write('.env', 'A=1');
				return linked(made, await made.write('other.txt', word));
			},
		],
		[
			'a .git/config without a login',
			async made => {
				await made.write('.git/config', `[remote "origin"]\n\turl = git@github.com:${word}/x.git\n`);
				return '.git/config';
			},
		],
		[
			'a name that is only similar to that of a secret',
			async made => {
				await made.write('id_card.ts', word);
				return 'id_card.ts';
			},
		],
	])('reads %s', async (_kind, make) => {
		const path = await make(project);
		expect(await tell(project, path)).toContain(word);
	});

	it('checks the current file when it becomes a hard link to a secret', async () => {
		await project.write('notes.txt', `innocent ${word}`);
		await project.write('.env', word);
		expect(await tell(project, 'notes.txt')).toContain(word);
		await link(project.path('.env'), project.path('new.txt'));
		await rename(project.path('new.txt'), project.path('notes.txt'));
		expect(await tell(project, 'notes.txt')).not.toContain(word);
	});
});

describe('a search of the whole project', () => {
	it.each(Object.entries(ways).filter(([name]) => name.startsWith('grep')))(
		'by %s names the files that it skips, whether they match or not',
		async (_way, tell) => {
			const project = await tempProject({'.env': word, 'a.txt': word, 'z.txt': word});
			await link(project.path('.env'), project.path('m.txt'));
			expect(await tell(project, '.')).toBe(
				`a.txt:1:${word}\nz.txt:1:${word}\n[left out, because they look like secrets: .env, m.txt]`,
			);
			await writeFile(project.path('.env'), 'nothing of it');
			expect(await tell(project, '.')).toBe(
				`a.txt:1:${word}\nz.txt:1:${word}\n[left out, because they look like secrets: .env, m.txt]`,
			);
			await rm(project.path('.env'));
			vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1001);
			expect(await tell(project, '.')).toBe(`a.txt:1:${word}\nz.txt:1:${word}`);
			vi.restoreAllMocks();
		},
	);
});

describe('an instructions file', () => {
	it('is ignored when it is a hard link to a secret', async () => {
		const project = await tempProject({'.env': word});
		await link(project.path('.env'), project.path('AGENTS.md'));
		expect(
			await readFolder(project.scope, project.dir, {refusesReading: async () => undefined, signal}),
		).toMatchObject({type: 'refused', reason: 'denied'});
	});
});

describe('a confirmation to read', () => {
	it('is required for a hard link, for credentials and for a name, and for nothing else', async () => {
		const project = await tempProject({'.env': word, 'a.txt': word, '.git/config': gitLogin});
		await link(project.path('.env'), project.path('m.txt'));
		const asked = await Promise.all(
			['.env', 'm.txt', '.git/config', 'a.txt', 'none.txt'].map(async path => secretAt(project.scope, path)),
		);
		expect(asked).toEqual([
			project.path('.env'),
			project.path('m.txt'),
			project.path('.git/config'),
			undefined,
			undefined,
		]);
	});
});
