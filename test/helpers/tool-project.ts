import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join, relative} from 'node:path';
import {promisify} from 'node:util';
import type {ToolDetails} from '../../src/pod/protocol.ts';
import {scriptedModel, type Answer} from '../../src/worker/index.ts';
import {calls, itemsOf, says} from './family.ts';
import {testPod} from './pod.ts';
import {tempProject} from './temp-project.ts';

/** What came of a command of the model. */
export type ToolRun = {
	readonly output: string;
	readonly isError: boolean;
	readonly effects: {readonly added: number; readonly changed: number; readonly deleted: number} | undefined;
	/** The titles of the cards that it needed. */
	readonly cards: readonly string[];
};

/** A project and a home folder for real tools. */
export type ToolProject = {
	readonly dir: string;
	readonly home: string;
	/** Runs a shell command as the user does, without confinement. Returns its output. */
	readonly outside: (command: string) => Promise<string>;
	/** Lets the model run a command in the mode `auto`. The user answers each card with the choice of this name. */
	readonly inside: (command: string, choice?: string) => Promise<ToolRun>;
	/** Returns the paths in the home folder that differ from the last call, but for inkpod's own. */
	readonly changesAtHome: () => readonly string[];
};

/** `../home/x` in `files` is in the home folder. */
export async function toolProject(files: Readonly<Record<string, string>>): Promise<ToolProject> {
	const project = await tempProject(files);
	const home = join(project.dir, '../home');
	mkdirSync(home, {recursive: true});
	const env = environment(home);
	const answers: Answer[] = [];
	const model = scriptedModel(() => answers.shift() ?? says('Done.'));
	const told = await testPod(project, {
		model,
		env,
		confine: {mode: 'require'},
		approval: {mode: 'auto', rules: {user: [], project: []}},
	});
	let [choice, cards]: [string, string[]] = ['keep', []];
	const answered = new Set<string>();
	told.pod.subscribe(event => {
		for (const {id, title, detail} of event.type === 'status' ? event.status.asks : []) {
			if (answered.has(id)) continue;
			answered.add(id);
			cards.push(`${title} ${detail ?? ''}`);
			void told.pod.send({method: 'answer', askId: id, choice});
		}
	});
	let known = filesBelow(home);
	return {
		dir: project.dir,
		home,
		outside: async command => {
			const options = {cwd: project.dir, env, timeout: 120_000};
			return (await promisify(execFile)('bash', ['-c', command], options)).stdout;
		},
		async inside(command, given = 'keep') {
			[choice, cards] = [given, []];
			answers.push(calls(['bash', {command, timeout: 240}]), says('Done.'));
			await told.run(command);
			await told.rest();
			const result = itemsOf(told.items(), 'tool_result').at(-1);
			if (result === undefined) throw new Error('The command has no result.');
			const {content, isError} = result;
			const details = result.details as ToolDetails | undefined;
			return {output: content, isError, effects: details?.command?.effects, cards};
		},
		changesAtHome() {
			const before = known;
			known = filesBelow(home);
			const names = new Set([...before.keys(), ...known.keys()]);
			return [...names].filter(name => before.get(name) !== known.get(name)).toSorted();
		},
	};
}

/** The tool chains of the user who runs the tests, with another home folder. */
function environment(home: string): Record<string, string> {
	const {PATH = '', HOME = '', RUSTUP_HOME = join(HOME, '.rustup'), PYENV_ROOT = join(HOME, '.pyenv')} = process.env;
	return {PATH, HOME: home, RUSTUP_HOME, PYENV_ROOT, LC_ALL: 'C.UTF-8'};
}

function filesBelow(top: string): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	const folders = [top];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
		for (const name of readdirSync(folder)) {
			const path = join(folder, name);
			const stats = lstatSync(path);
			if (own.some(folder => path === join(top, folder))) continue;
			if (stats.isDirectory()) folders.push(path);
			else found.set(relative(top, path), stats.isSymbolicLink() ? readlinkSync(path) : digestOf(path));
		}
	return found;
}

/** inkpod's folders. */
const own = ['.cache/inkpod', '.local/state/inkpod'];

function digestOf(path: string): string {
	return lstatSync(path).isFile() ? createHash('sha1').update(readFileSync(path)).digest('hex') : '';
}
