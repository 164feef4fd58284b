import type {Item} from '../../../../src/pod/protocol.ts';
import {testPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {sent, type answer} from '../../../helpers/event-model.ts';

export const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
export const words = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.role === 'user' ? [item.text] : []));
export const files = {'a.md': 'one\n', 'b.md': 'two\n'};
export const undelivered = {accepted: false, code: 'aborted', sentence: 'Not sent: the turn had ended.'};

/** Streams an answer that ends when the gate opens. */
export async function* held(gate: Promise<void>, events: ReturnType<typeof answer>) {
	yield sent;
	await gate;
	yield* events.slice(1);
}

export async function opened(options: TestPodOptions, project?: TempProject) {
	const told = await testPod(project ?? (await tempProject(files)), options);
	const steer = async (text: string) => told.pod.send({method: 'steer', segments: [{type: 'text', text}]});
	const queue = () =>
		told.status().queue.map(({preview: [segment]}) => (segment?.type === 'text' ? segment.text : undefined));
	return {...told, steer, queue};
}
