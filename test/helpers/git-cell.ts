import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Duplex} from 'node:stream';
import {onTestFinished} from 'vitest';
import {createCell, endOfCell, type CellOptions} from '../../src/pod/permissions/confine/cell.ts';
import {packIndexer} from '../../src/pod/permissions/confine/confinement.ts';
import {removeCell} from '../../src/pod/permissions/confine/journal.ts';
import type {Layer, LeftOut, Step} from '../../src/pod/permissions/confine/layer.ts';
import {prepareLayer} from '../../src/pod/permissions/confine/plan-layer.ts';
import {gitStepRunner} from '../../src/pod/permissions/confine/run-git-steps.ts';
import {runSteps} from '../../src/pod/permissions/confine/run-steps.ts';

const path = process.env['PATH'] ?? '';

/** What a take-over did. */
export type Taken = {
	readonly leftOut: readonly LeftOut[];
	readonly notes: readonly string[];
	readonly steps: readonly Step[];
};

type TakeOptions = {
	/** Runs when a step of git begins. */
	readonly beforeGit?: ((step: Step) => void) | undefined;
	/** The home folder of the user. */
	readonly home?: string;
};

/** Takes over what a command did on a layer, as a session does. */
export async function takeOverLayer(layer: Layer, {beforeGit, home = '/nowhere'}: TakeOptions = {}): Promise<Taken> {
	const prepared = await prepareLayer(layer, {indexPack: packIndexer({PATH: path}), env: {PATH: path, HOME: home}});
	if (prepared === undefined) throw new Error('too many effects');
	const {steps, leftOut, notes} = await prepared.planFor(new Set());
	const removed = join(layer.upper, '../removed');
	const run = gitStepRunner({PATH: path});
	const runGitStep: typeof run = async (step, ...more) => {
		beforeGit?.(step);
		return run(step, ...more);
	};
	const ran = await runSteps(steps, {roots: [layer.path], removed, runGitStep});
	const late = ran.conflicts.map(one => ({path: one.slice(layer.path.length + 1), why: 'conflict' as const}));
	return {leftOut: [...leftOut, ...late], notes: [...notes, ...ran.notes], steps};
}

/** A project with a home folder of its own. */
export type GitProject = {
	readonly dir: string;
	/** Runs a shell command in the project, outside of a cell. Returns its output. */
	readonly outside: (command: string) => string;
	/**
	Runs a shell command in a cell. `meanwhile` runs outside when the command has ended, `beforeGit` when a step of git
	begins.
	*/
	readonly inside: (
		command: string,
		meanwhile?: () => void,
		beforeGit?: (step: Step) => void,
	) => Promise<Taken & {readonly output: string}>;
};

export function gitProject(prepare = ''): GitProject {
	const home = realpathSync(mkdtempSync(join(tmpdir(), 'inkpod-g-')));
	onTestFinished(async () => removeCell(home));
	const dir = join(home, 'project');
	mkdirSync(dir);
	const env = gitHome(home);
	const outside = (command: string) =>
		execFileSync('sh', ['-c', command], {
			cwd: dir,
			env: {...env, OUTSIDE: '1'},
			stdio: ['ignore', 'pipe', 'pipe'],
			encoding: 'utf8',
		});
	if (prepare !== '') outside(prepare);
	let count = 0;
	return {
		dir,
		outside,
		inside: async (command, meanwhile, beforeGit) =>
			runInside({home, dir, env, command, meanwhile, beforeGit, cell: join(home, `cell${count++}`)}),
	};
}

/** The environment of git in a test, with a configuration of its own in a home folder. */
export function gitHome(home: string): Record<string, string> {
	writeFileSync(join(home, '.gitconfig'), config);
	return {
		RAN: join(home, 'ran'),
		PATH: path,
		HOME: home,
		GIT_AUTHOR_DATE: date,
		GIT_COMMITTER_DATE: date,
		LC_ALL: 'C',
	};
}

const date = '2026-01-01T00:00:00Z';
const config = `[user]
	name = n
	email = a@b
[init]
	defaultBranch = main
[protocol "file"]
	allow = always
[advice]
	detachedHead = false
`;

type Run = {
	readonly home: string;
	readonly dir: string;
	readonly env: Record<string, string>;
	readonly command: string;
	readonly meanwhile: (() => void) | undefined;
	readonly beforeGit: ((step: Step) => void) | undefined;
	readonly cell: string;
};

async function runInside({
	home,
	dir,
	env,
	command,
	meanwhile,
	beforeGit,
	cell,
}: Run): Promise<Taken & {readonly output: string}> {
	const options: CellOptions = {
		dir: cell,
		folders: [{path: dir, known: new Map()}],
		shown: [],
		upper: 'disk',
		isOffline: false,
		bwrap: '/usr/bin/bwrap',
		mount: '/usr/bin/mount',
	};
	const {merged, wrap} = await createCell(options);
	// git compares the owner of a file, so a command has the same ids inside.
	const ids = ['--unshare-user', '--uid', String(process.geteuid?.()), '--gid', String(process.getegid?.())];
	const places = ['--dev-bind', '/', '/', '--bind', merged[0] ?? '', dir, '--chdir', dir, '--proc', '/proc'];
	const walls = [...ids, '--unshare-pid', ...places];
	const {file, args} = wrap(['/usr/bin/bwrap', ...walls, '--die-with-parent', '--', 'sh', '-c', command]);
	const child = spawn(file, args, {
		env: {...env, GIT_OPTIONAL_LOCKS: '0'},
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += String(chunk)));
	const exited = new Promise(resolve => void child.on('exit', resolve));
	const ended = await endOfCell(options, child.stdio[3] as unknown as Duplex, exited);
	const [layer] = ended?.layers ?? [];
	if (ended === undefined || layer === undefined) throw new Error(`no cell: ${output}`);
	try {
		meanwhile?.();
		return {...(await takeOverLayer(layer, {beforeGit, home})), output};
	} finally {
		ended.close();
		await exited;
	}
}
