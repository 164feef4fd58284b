import {join} from 'node:path';
import {readSession} from '../../src/pod/disk/log/read.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {scriptedModel, type Answer, type ModelRequest} from '../../src/worker/index.ts';
import {allowed, testPod, type TestPod, type TestPodOptions} from './pod.ts';
import {tempProject, type TempProject} from './temp-project.ts';

/** The answers of a family of sessions: those of the parent in order, and those of each child by its task. */
export type FamilyScript = {
	readonly parent: readonly Answer[];
	readonly children?: Readonly<Record<string, readonly Answer[]>>;
	/** The function that is called with each request. The answer waits for it. */
	readonly onRequest?: (request: ModelRequest, task: string | undefined) => Promise<void> | void;
};

export type Family = TestPod & {
	readonly project: TempProject;
	readonly requests: readonly ModelRequest[];
	/** Resolves when the model has got this number of requests. */
	readonly requested: (count: number) => Promise<void>;
};

/** Opens a pod whose model answers the parent and its children from a script. */
export async function openFamily(script: FamilyScript, options: Partial<TestPodOptions> = {}): Promise<Family> {
	const project = await tempProject();
	const requests: ModelRequest[] = [];
	const waiting = new Map<number, () => void>();
	const model = familyModel(
		{
			...script,
			async onRequest(request, task) {
				waiting.get(requests.length)?.();
				await script.onRequest?.(request, task);
			},
		},
		requests,
	);
	const told = await testPod(project, {model, ...allowed, ...options});
	return {
		...told,
		project,
		requests,
		requested: async count =>
			new Promise(resolve => {
				if (requests.length >= count) resolve();
				else waiting.set(count, resolve);
			}),
	};
}

/** A request belongs to the child whose task is its last task message. */
export function familyModel(script: FamilyScript, requests: ModelRequest[] = []) {
	const counts = new Map<string | undefined, number>();
	return scriptedModel(async request => {
		requests.push(request);
		const task = taskOf(request, Object.keys(script.children ?? {}));
		await script.onRequest?.(request, task);
		const n = counts.get(task) ?? 0;
		counts.set(task, n + 1);
		const answers = task === undefined ? script.parent : (script.children?.[task] ?? []);
		return answers[n] ?? says('Nothing is left.');
	});
}

function taskOf({messages}: ModelRequest, tasks: readonly string[]): string | undefined {
	const texts = messages.flatMap(message => (message.role === 'user' ? [JSON.stringify(message)] : []));
	return tasks.find(task => texts.some(text => text.includes(JSON.stringify(task).slice(1, -1))));
}

export function says(text: string): Answer {
	return [
		{type: 'text', text},
		{type: 'usage', input: 10, output: 5},
	];
}

export function calls(...all: ReadonlyArray<readonly [name: string, args: Record<string, unknown>]>): Answer {
	return all.map(([name, args]) => ({type: 'tool_call', name, arguments: args}));
}

/** A call that gives a task to a child. */
export function child(task: string, more: Record<string, unknown> = {}): readonly [string, Record<string, unknown>] {
	return ['pod', {task, title: task.slice(0, 40), ...more}];
}

export function itemsOf<Type extends Item['type']>(items: readonly Item[], type: Type) {
	return items.filter((item): item is Extract<Item, {type: Type}> => item.type === type);
}

/** Reads the items of a child from its file. */
export async function childItems({session}: Pick<TestPod, 'session'>, id: string): Promise<readonly Item[]> {
	const read = await readSession(join(session.dir, 'children', id));
	if (!read.ok) throw new Error(read.sentence);
	return read.session.items;
}
