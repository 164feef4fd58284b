import {execFileSync} from 'node:child_process';
import {link, readdir, readFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {Worker} from 'node:worker_threads';
import type {TempProject} from './temp-project.ts';

/** Every file outside the project contains this text, and no file inside does. */
export const secret = 'SECRET-OUTSIDE-7F3A';

/**
No answer may contain these texts: the secret, names that exist only outside, lines of /etc/passwd and of the process's
environment.
*/
export const strangeTexts: readonly string[] = [secret, 'only-there', 'root:x:0:', `PATH=${process.env['PATH'] ?? ''}`];

/** The allowed answers for a path. `inside`: the path is harmless, and the answer contains its contents. */
export type Verdict = 'out_of_scope' | 'not_found' | 'not_a_file' | 'is_directory' | 'io' | 'inside';

/**
A kind of path. `make` creates it in a project with `a.txt` (`inside\n`) and `dir/b.txt`, and with secrets around the
project.
*/
export type Attack = {
	readonly name: string;
	/** The path as a user or a model would write it. */
	readonly path: string | ((project: TempProject) => string);
	readonly make?: (project: TempProject) => Promise<unknown>;
	/** The answer when it is read as a file. */
	readonly file: Verdict;
	/** The answer when it is listed or searched as a folder, if that differs. */
	readonly folder?: Verdict;
	/** The answer when it is written as a whole file, if that differs. */
	readonly written?: Verdict;
};

/** The files of a project and around it. */
export const surroundings = {
	'a.txt': 'inside\n',
	'dir/b.txt': 'inside\n',
	'../outside.txt': `${secret}\n`,
	'../outside/x.txt': `${secret}\n`,
	'../outside/AGENTS.md': `${secret}\n`,
	'../outside/only-there.txt': `${secret}\n`,
	'../outside/only-there.pem': `${secret}\n`,
	'../project-x/a.txt': `${secret}\n`,
	'../project-x/AGENTS.md': `${secret}\n`,
};

/** Returns everything around the project except the folder of sessions. No function may change it. */
export async function outsideOf(project: TempProject): Promise<Readonly<Record<string, string>>> {
	const around = project.path('..');
	const entries = await readdir(around, {recursive: true, withFileTypes: true});
	const files = entries
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.filter(file => !file.startsWith(`${project.dir}/`) && !file.startsWith(`${around}/sessions/`));
	return Object.fromEntries(
		await Promise.all(
			files.toSorted().map(async file => [relative(around, file), await readFile(file, 'utf8')] as const),
		),
	);
}

const linked =
	(target: string, name = 'link') =>
	async (project: TempProject) =>
		project.link(name, target);

const fifo = async (project: TempProject) => execFileSync('mkfifo', [project.path('pipe')]);

/** The attacks. The test runs them against every function that accesses the disk. */
export const attacks: readonly Attack[] = [
	{name: 'the parent’s file', path: '../outside.txt', file: 'out_of_scope'},
	{name: 'the parent’s file by a detour', path: 'dir/../../outside.txt', file: 'out_of_scope'},
	{name: 'a missing file of the parent', path: '../missing.txt', file: 'out_of_scope'},
	{name: 'the parent', path: '..', file: 'out_of_scope'},
	{name: 'an absolute path', path: project => join(project.dir, '../outside.txt'), file: 'out_of_scope'},
	{name: 'a file of the system', path: '/etc/passwd', file: 'out_of_scope'},
	{name: 'the root', path: '/', file: 'out_of_scope'},
	{name: 'a neighbour whose name begins as ours', path: '../project-x/a.txt', file: 'out_of_scope'},
	{name: 'that neighbour by an absolute path', path: ({dir}) => `${dir}-x/a.txt`, file: 'out_of_scope'},
	{name: 'a link to a file outside', path: 'link', make: linked('../outside.txt'), file: 'out_of_scope'},
	{name: 'a link to a folder outside', path: 'link', make: linked('../outside'), file: 'out_of_scope'},
	{
		name: 'a file in a linked folder outside',
		path: 'link/x.txt',
		make: linked('../outside'),
		file: 'out_of_scope',
	},
	{
		name: 'a missing file in a linked folder outside',
		path: 'link/missing.txt',
		make: linked('../outside'),
		file: 'out_of_scope',
	},
	{name: 'a dangling link to the outside', path: 'link', make: linked('../missing.txt'), file: 'out_of_scope'},
	{
		name: 'a chain of links to a file outside',
		path: 'one',
		make: async project =>
			Promise.all([
				linked('dir/two', 'one')(project),
				linked('../three', 'dir/two')(project),
				linked('../outside.txt', 'three')(project),
			]),
		file: 'out_of_scope',
	},
	{
		name: 'a chain of links to a folder outside',
		path: 'one/x.txt',
		make: async project => Promise.all([linked('two', 'one')(project), linked('../outside', 'two')(project)]),
		file: 'out_of_scope',
	},
	{name: 'a link to itself', path: 'loop', make: linked('loop', 'loop'), file: 'io'},
	{
		name: 'links in a circle',
		path: 'loop/x',
		make: async project => Promise.all([linked('other', 'loop')(project), linked('loop', 'other')(project)]),
		file: 'io',
	},
	{
		name: 'a link to the folder it lies in',
		path: 'dir/self/self/b.txt',
		make: linked('.', 'dir/self'),
		file: 'inside',
	},
	{
		name: 'a hard link, which belongs to the folder it lies in',
		path: 'hard.txt',
		make: async project => link(project.path('a.txt'), project.path('hard.txt')),
		file: 'inside',
	},
	{name: 'a FIFO', path: 'pipe', make: fifo, file: 'not_a_file'},
	{
		name: 'a link to a FIFO',
		path: 'link',
		make: async project => Promise.all([fifo(project), linked('pipe')(project)]),
		file: 'not_a_file',
	},
	{name: '/dev/zero', path: '/dev/zero', file: 'out_of_scope'},
	{name: 'a link to /dev/zero', path: 'link', make: linked('/dev/zero'), file: 'out_of_scope'},
	{name: '/proc/self/environ', path: '/proc/self/environ', file: 'out_of_scope'},
	{name: 'a link to /proc/self/environ', path: 'link', make: linked('/proc/self/environ'), file: 'out_of_scope'},
	{name: 'the folder of open files', path: '/proc/self/fd/0', file: 'out_of_scope'},
	{name: 'the way round by /proc', path: '/proc/self/cwd/../outside.txt', file: 'out_of_scope'},
	{name: 'a NUL byte', path: 'a.txt\0', file: 'not_found'},
	{name: 'a NUL byte after a path outside', path: '../outside.txt\0.ts', file: 'not_found'},
	{name: '5,000 characters', path: 'x'.repeat(5000), file: 'not_found'},
	{name: '5,000 characters that lead out', path: `${'dir/../'.repeat(720)}../outside.txt`, file: 'not_found'},
	{
		name: 'a name in NFC whose twin in NFD leads out',
		path: 'caf\u00E9.txt',
		make: async project =>
			Promise.all([
				project.write('caf\u00E9.txt', 'inside\n'),
				linked('../outside.txt', 'cafe\u0301.txt')(project),
			]),
		file: 'inside',
	},
	{
		name: 'a name in NFD whose twin in NFC is harmless',
		path: 'cafe\u0301.txt',
		make: async project =>
			Promise.all([
				project.write('caf\u00E9.txt', 'inside\n'),
				linked('../outside.txt', 'cafe\u0301.txt')(project),
			]),
		file: 'out_of_scope',
	},
	{name: 'a home that is written', path: '~/../../etc/passwd', file: 'out_of_scope'},
	{name: 'a folder that is called ~', path: '~root/outside.txt', file: 'not_found', written: 'inside'},
];

/** Returns the path of an attack, as a user writes it. */
export function pathOf({path}: Attack, project: TempProject): string {
	return typeof path === 'string' ? path : path(project);
}

/**
Ways to replace a checked path by something outside, over and over, while a function uses it. `path` is the path that
the function gets.
*/
export const races = [
	{name: 'a link that leads inside and outside by turns', path: 'way/x.txt', swap: 'link'},
	{name: 'a folder that is a link to the outside by turns', path: 'way/x.txt', swap: 'folder'},
] as const;

/** Prepares a race: `way/x.txt` is harmless, except for moments in which it is a secret. */
export async function makeRace(project: TempProject, {swap}: (typeof races)[number]): Promise<void> {
	if (swap === 'folder') await project.write('way/x.txt', 'inside\n');
	else await Promise.all([project.write('dir/x.txt', 'inside\n'), project.link('way', 'dir')]);
}

/** Swaps the path in a thread as fast as it can, until it is stopped. Resolves when the thread has started. */
export async function swapping(project: TempProject, {swap}: (typeof races)[number]): Promise<{stop(): Promise<void>}> {
	const thread = new Worker(swapper, {eval: true, workerData: {dir: project.dir, swap}});
	const gone = new Promise<void>((resolve, reject) => {
		thread.once('exit', () => resolve());
		thread.once('error', reject);
	});
	await Promise.race([gone, new Promise(resolve => thread.once('message', resolve))]);
	return {
		async stop() {
			thread.postMessage('stop');
			await gone;
		},
	};
}

/** How often each function is tried in each race. */
export const tries = process.env['INKPOD_TEST'] === 'long' ? 2000 / races.length : 15;

const swapper = `
const {existsSync, renameSync, rmSync, symlinkSync, unlinkSync} = require('node:fs');
const {parentPort, receiveMessageOnPort, workerData: {dir, swap}} = require('node:worker_threads');
const at = name => dir + '/' + name;
for (let turn = 0; receiveMessageOnPort(parentPort) === undefined; turn += 1) {
	if (turn === 2) parentPort.postMessage('begun');
	if (swap === 'link') {
		symlinkSync(turn % 2 === 0 ? '../outside' : 'dir', at('next'));
		renameSync(at('next'), at('way'));
	} else {
		try {
			renameSync(at('way'), at('aside'));
			symlinkSync('../outside', at('way'));
			unlinkSync(at('way'));
			renameSync(at('aside'), at('way'));
		} catch {
			// A function that writes has created a folder in the gap.
			try {
				if (existsSync(at('aside'))) rmSync(at('way'), {recursive: true, force: true});
				if (existsSync(at('aside'))) renameSync(at('aside'), at('way'));
			} catch {}
		}
	}
}
parentPort.close();
`;
