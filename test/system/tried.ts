import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {narrowDetails, type Ask} from '../../src/pod/protocol.ts';
import type {ModelRequest} from '../../src/worker/index.ts';
import {calls, familyModel, itemsOf, says} from '../helpers/family.ts';
import {testPod, type TestPodOptions} from '../helpers/pod.ts';
import {removeTree, scopeOf, tempProject, type TempProject} from '../helpers/temp-project.ts';

/** The contents of every secret of the project. They must not reach a model. */
export const secret = 'canary-4b1d';

/** Answers a card. `project` can be changed while the card is open. A list marks the lines that contain its texts. */
export type Answering = (ask: Ask, project: TempProject) => string | readonly string[];

export type TryingOptions = Partial<TestPodOptions> & {
	readonly answer?: Answering;
	/** Prepares the project, before its commands run. */
	readonly prepare?: (project: TempProject, git: (...args: readonly string[]) => string) => void;
	/** The working directory in the project. */
	readonly pwd?: string;
	/** Read-only added folders, beside the project. */
	readonly readRoots?: readonly string[];
	/** The settings of `[confine]`. Paths are relative to the folder around the project. */
	readonly show?: readonly string[];
	readonly write?: readonly string[];
};

/**
Runs commands of the model in the mode `ask`, each in an answer of its own, and the commands of a list in one answer.
Returns the cards, the results, and what the model got.
*/
export async function tried(
	commands: string | ReadonlyArray<string | readonly string[]>,
	{answer = () => 'deny', prepare, pwd, readRoots, show, write, ...more}: TryingOptions = {},
) {
	const files = {'a.txt': 'one\n', 'd/c.txt': 'three\n', '.env': `KEY=${secret}\n`};
	const project = await tempProject(files);
	const top = dirname(project.dir);
	// An ordinary user cannot enter a folder of a cell that is not removed yet.
	onTestFinished(async () => removeTree(top));
	const env = {HOME: join(top, 'home'), PATH: process.env['PATH'], XDG_CACHE_HOME: join(top, 'cache')};
	mkdirSync(join(env.HOME, '.local/state/inkpod'), {recursive: true, mode: 0o700});
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=a@b', ...args], {
			...{cwd: project.dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']},
		});
	git('init', '-q', '-b', 'main');
	git('add', 'a.txt');
	git('commit', '-qm', 'one');
	prepare?.(project, git);
	const before = filesOf(top);
	const answers = [commands].flat().map(one => calls(...[one].flat().map(toCall)));
	const requests: ModelRequest[] = [];
	const model = familyModel({parent: [...answers, says('Done.')], children: {}}, requests);
	const places = (names: readonly string[] | undefined) => names?.map(name => join(top, name));
	const scope =
		pwd === undefined && readRoots === undefined
			? undefined
			: await scopeOf(join(project.dir, pwd ?? '.'), {readRoots: places(readRoots) ?? []});
	const told = await testPod(project, {
		...{model, env, ...(scope && {scope})},
		confine: {mode: 'auto', ...(show && {show: places(show)}), ...(write && {write: places(write)})},
		...more,
	});
	const cards: Ask[] = [];
	told.pod.subscribe(event => {
		for (const ask of event.type === 'status' ? event.status.asks : []) {
			if (cards.some(({id}) => id === ask.id)) continue;
			cards.push(ask);
			const wanted = answer(ask, project);
			const marks = typeof wanted === 'string' ? undefined : marksIn(ask, wanted);
			const name = marks === undefined ? wanted : 'answer';
			const choice = ask.choices.find(one => one.choice === name) ?? ask.choices.find(({refuses}) => refuses);
			void told.pod.send({
				...{method: 'answer', askId: ask.id, choice: choice!.choice},
				...(marks && {answers: marks}),
			});
		}
	});
	await told.run('Go');
	await told.rest();
	const results = itemsOf(told.items(), 'tool_result');
	return {
		cards,
		titles: cards.map(({title}) => title),
		results,
		contents: results.map(({content}) => content),
		content: results[0]?.content ?? '',
		details: narrowDetails(results[0]?.details),
		/** The cards' details. */
		shown: cards.map(({detail}) => detail).join('\n'),
		before,
		after: filesOf(top),
		/** Everything that the model got. */
		sent: JSON.stringify(requests.map(({messages}) => messages)),
		project,
		top,
		git,
	};
}

function marksIn({questions = []}: Ask, texts: readonly string[]) {
	return questions.map(({options = []}) => ({
		options: options.flatMap((option, n) => (texts.some(text => option.includes(text)) ? [n] : [])),
	}));
}

function toCall(command: string): readonly [string, Record<string, unknown>] {
	return ['bash', {command}];
}

/** Returns the kind, permissions, times and targets in a folder, besides inkpod's state and empty caches. */
function filesOf(top: string): readonly string[] {
	const left = ['-path', `${top}/state`, '-prune', '-o', '-type', 'd', '-path', `${top}/cache*`];
	const found = ['-type', 'f', '-printf', '%p %m %s %T@\\n', '-o', '-printf', '%p %y %m %l\\n'];
	const text = execFileSync('find', [top, ...left, '-o', ...found], {encoding: 'latin1'});
	return text.split('\n').toSorted();
}

/** Returns the processes that have a text in their environment. */
export function processesOf(text: string): readonly string[] {
	return readdirSync('/proc').filter(name => {
		try {
			return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(text);
		} catch {
			return false;
		}
	});
}

/** Writes a file below the folder around the project. */
export function put(project: TempProject, name: string, text: string | Uint8Array, mode = 0o644): string {
	const path = join(dirname(project.dir), name);
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, text, {mode});
	return path;
}
