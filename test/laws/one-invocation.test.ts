import {describe, expect, it} from 'vitest';
import type {PodClient} from '../../src/pod/protocol.ts';
import type {Block} from '../../src/transcript/block.ts';
import {blocksOf} from '../../src/transcript/state.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {reopened, testPod} from '../helpers/pod.ts';
import {attached, served} from '../helpers/socket-pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {answer, says, eventModel} from '../helpers/event-model.ts';

const files = {
	'.inkpod/workflows/audit.md': '---\ndescription: Review code\nrequires: [style, api]\n---\nReview it.\n',
	'.inkpod/knowledge/style.md': 'Tabs.\n',
	'.inkpod/knowledge/api.md': 'Small.\n',
};
const texts = [
	'[Workflow /audit requires Knowledge #style]\nTabs.',
	'[Workflow /audit requires Knowledge #api]\nSmall.',
	'[Workflow /audit]\nReview it.',
];

/** Returns the blocks of a client after every event. */
function seenBy(client: PodClient): () => readonly Block[] {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	client.subscribe(event => store.dispatch(event));
	return () => blocksOf(store.transcript);
}

describe('a workflow with two documents', () => {
	it('is one block of three parts: live, to a late client, in a second terminal and after a resume', async () => {
		const project = await tempProject(files);
		const model = eventModel(answer(says('Yes.')), answer(says('Again.')));
		const first = await testPod(project, {model});
		const {path} = await served(first.pod);
		const live = seenBy(first.pod);
		const second = await attached(path);
		const beside = seenBy(second);
		expect(await first.run('/audit')).toEqual({accepted: true});
		await first.rest();
		await expect.poll(() => beside().length).toBe(live().length);
		const late = seenBy(first.pod);
		const lateBeside = seenBy(await attached(path));

		const group = live().filter(block => block.kind === 'system');
		expect(group.map(block => block.kind === 'system' && block.parts.map(part => part.item.text))).toEqual([texts]);
		for (const blocks of [beside, late, lateBeside]) expect(blocks()).toEqual(live());

		await first.pod.send({method: 'shutdown'});
		const again = await testPod(project, {model, session: await reopened(first)});
		const restored = seenBy(again.pod);
		expect(restored()).toEqual(live());
		await again.run('and now');
		await again.rest();
		for (const request of model.requests)
			expect(
				request.messages
					.filter(({role}) => role === 'user')
					.map(message => ('text' in message ? message.text : ''))
					.slice(0, 4),
			).toEqual(['/audit', ...texts]);
		expect(restored().slice(0, live().length)).toEqual(live());
	});
});
