import {pathToFileURL} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createPathThread} from '../../../../src/pod/references/completion/completion.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const dying = `import {parentPort} from 'node:worker_threads';
parentPort.on('message', ({id, text}) => {
	if (text === 'die') throw new Error('no memory\\nat line 1');
	if (text === 'exit') process.exit(0);
	parentPort.postMessage({id, found: {matches: [], indexing: false, note: 'alive'}});
});`;

async function openedThread() {
	const project = await tempProject({'thread.mjs': dying});
	const thread = createPathThread({file: pathToFileURL(project.path('thread.mjs'))});
	onTestFinished(() => thread.close());
	return {scope: project.scope, thread};
}

describe('createPathThread', () => {
	it('reports a crash to the open query, and starts a new thread for the next query', async () => {
		const {scope, thread} = await openedThread();
		expect(await thread.ask(scope, 'a', 1)).toMatchObject({note: 'alive'});
		const [died, next] = await Promise.all([thread.ask(scope, 'die', 1), thread.ask(scope, 'b', 1)]);
		expect(died).toEqual({
			matches: [],
			indexing: true,
			note: 'File search stopped (no memory). It restarts when you press the next key.',
		});
		expect(next).toMatchObject({note: 'alive'});
		expect(await thread.ask(scope, 'exit', 1)).toMatchObject({indexing: true});
		expect(await thread.ask(scope, 'c', 1)).toMatchObject({note: 'alive'});
	});

	it('stops retrying after repeated crashes', async () => {
		const {scope, thread} = await openedThread();
		const answers = [];
		for (let times = 0; times < 4; times += 1) answers.push(await thread.ask(scope, 'die', 1));
		expect(answers.map(({indexing}) => indexing)).toEqual([true, true, false, false]);
	});

	it('reports a missing program', async () => {
		const {scope} = await openedThread();
		const thread = createPathThread({file: new URL('file:///nowhere/thread.mjs')});
		expect((await thread.ask(scope, 'a', 1)).note).toMatch(/^File search stopped \(.+\)/u);
		thread.close();
	});
});
