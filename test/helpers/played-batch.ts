import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ApprovalMode} from '../../src/pod/protocol/approval-mode.ts';
import type {Rule} from '../../src/pod/permissions/approval/rule.ts';
import type {Ask, ItemOf} from '../../src/pod/protocol.ts';
import type {ModelEvent, Tool} from '../../src/worker/index.ts';
import {testPod, type TestPod, type TestPodOptions} from './pod.ts';
import type {TempProject} from './temp-project.ts';
import {answer, calls, says, eventModel} from './event-model.ts';

let counter = 0;
/** One call of a batch. */
export const call = (name: string, args: unknown) => calls(`c${++counter}`, name, args);

/** A tool that swaps the path when its call is prepared, and does nothing when it runs. */
export function swapTool(swap: () => unknown): Tool {
	return {
		definition: {name: 'swap', description: '', parameters: {type: 'object'}},
		effect: 'read',
		check(args) {
			swap();
			return {ok: true, args};
		},
		execute: async () => ({summary: swapped, content: swapped}),
	};
}

export type Played = TestPod & {readonly asked: readonly Ask[]};

type Playing = {
	/** The first message of the user. By default it only starts the model. */
	readonly text?: string;
	readonly batch: readonly ModelEvent[][];
	/** Runs after the decisions about the batch and before its first call. */
	readonly swap?: () => unknown;
	readonly options: Partial<TestPodOptions>;
	/** The answer to the last card. Default: no. */
	readonly choose?: (asked: readonly Ask[]) => string;
};

/** Plays one answer with a batch of calls in a pod, and answers each card. */
export async function played(project: TempProject, playing: Playing): Promise<Played> {
	const {text = 'Go.', batch, swap = () => {}, options, choose = () => 'deny'} = playing;
	const env = {HOME: project.path('../home'), PATH: process.env['PATH']};
	const model = eventModel(answer(...batch, call('swap', {})), answer(says('Done.')));
	const told = await testPod(project, {model, env, moreTools: [swapTool(swap)], ...options});
	const asked: Ask[] = [];
	const news = () => told.status().asks.find(({id}) => asked.every(ask => ask.id !== id));
	await told.run(text);
	for (;;) {
		await told.until(() => told.status().kind !== 'running' || news() !== undefined);
		const ask = news();
		if (ask === undefined) return {...told, asked};
		asked.push(ask);
		await told.pod.send({method: 'answer', askId: ask.id, choice: choose(asked)});
	}
}

/** Returns the results of the calls, without the result of the swap. */
export function resultsOf({items}: TestPod): ReadonlyArray<ItemOf<'tool_result'>> {
	return items().flatMap(item => (item.type === 'tool_result' && item.content !== swapped ? [item] : []));
}

const swapped = 'swapped';

/** Returns all regular files of a folder with their contents. */
export async function tree(folder: string): Promise<Readonly<Record<string, string>>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.toSorted();
	const texts = await Promise.all(files.map(async file => readFile(file, 'utf8')));
	return Object.fromEntries(files.map((file, index) => [file.slice(folder.length + 1), texts[index]!]));
}

export const mode = (set: ApprovalMode, user: readonly Rule[] = [], project: readonly Rule[] = []) => ({
	approval: {mode: set, rules: {user, project}},
});
/** A hook that allows every call. */
export const hooked = {toolHooks: {before: async () => ({type: 'continue' as const})}};
