import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Method, QueueMessage, Receipt, Segment} from '../../../../src/pod/protocol.ts';
import {testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {eventModel, type answer} from '../../../helpers/event-model.ts';
import {held} from '../turn/steering-stage.ts';

export const text = (words: string): Segment[] => [{type: 'text', text: words}];
export const wordsOf = ([segment]: readonly Segment[]) => (segment?.type === 'text' ? segment.text : '');

export type QueuePod = TestPod & {
	readonly project: TempProject;
	readonly send: (method: Method) => Promise<Receipt>;
	readonly queue: (words: string, more?: {readonly steer?: boolean; readonly command?: string}) => Promise<Receipt>;
	/** Returns the rows of the queue, such as `queued one`. */
	readonly rows: () => string[];
	readonly stored: () => readonly QueueMessage[];
};

/** Opens a pod. The id of a message is its first word. */
export async function queuePod(options: TestPodOptions, project?: TempProject): Promise<QueuePod> {
	const own = project ?? (await tempProject());
	const told = await testPod(own, options);
	return {
		...told,
		project: own,
		send: async method => told.pod.send(method),
		queue: async (words, more = {}) =>
			told.pod.send({method: 'queue', message: words, segments: text(words), ...more}),
		rows: () => told.status().queue.map(({state, preview}) => `${state} ${wordsOf(preview)}`),
		stored: () => storedIn(told.session.dir),
	};
}

/** Returns the messages in queue.json. */
export function storedIn(dir: string): readonly QueueMessage[] {
	let file: string;
	try {
		file = readFileSync(join(dir, 'queue.json'), 'utf8');
	} catch {
		return [];
	}
	const {messages} = JSON.parse(file) as {messages: Array<QueueMessage & {sum: string}>};
	return messages.map(message => {
		const {sum, ...queued} = message;
		if (!/^[0-9a-f]{32}$/.test(sum)) throw new Error('a message in queue.json has no sum');
		return queued;
	});
}

/** Creates a model whose first answer ends when it is released or stopped. */
export function holding(
	first: ReturnType<typeof answer>,
	...rest: ReadonlyArray<ReturnType<typeof answer>>
): {readonly model: ReturnType<typeof eventModel>; readonly release: () => void} {
	const gate = Promise.withResolvers<void>();
	const told = eventModel(() => held(gate.promise, first), ...rest);
	const model = {
		...told,
		async *stream(...[request, signal]: Parameters<typeof told.stream>) {
			signal.addEventListener('abort', () => gate.resolve());
			yield* told.stream(request, signal);
		},
	};
	return {model, release: () => gate.resolve()};
}
