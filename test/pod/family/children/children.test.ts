import {describe, expect, it} from 'vitest';
import {calls, child, childItems, itemsOf, openFamily, says, type Family} from '../../../helpers/family.ts';

describe('a child session', () => {
	it('works on its task, and only its answer reaches the parent', async () => {
		const told = await openFamily({
			parent: [calls(child('Count the files.')), says('There are 3.')],
			children: {'Count the files.': [calls(['glob', {pattern: '*'}]), says('3 files.')]},
		});
		await told.run('How many files?');
		await told.rest();
		const [started] = itemsOf(told.items(), 'child_started');
		const [ended] = itemsOf(told.items(), 'child_ended');
		const [call] = itemsOf(told.items(), 'tool_call');
		expect(started).toMatchObject({call: call?.id, title: 'Count the files.', context: 'fresh'});
		expect(ended).toMatchObject({child: started?.child, outcome: 'finished', requests: 2});
		expect(itemsOf(told.items(), 'tool_result')).toMatchObject([{content: '3 files.', isError: false}]);
		const own = await childItems(told, started!.child);
		expect(own.length).toBe(ended?.head?.items);
		expect(own.find(({type}) => type === 'message')).toMatchObject({text: 'Count the files.'});
		expect(told.requests).toHaveLength(4);
		expect(JSON.stringify(told.requests[1]?.messages)).not.toContain('How many files?');
		expect(JSON.stringify(told.requests[3]?.messages)).not.toContain('glob');
		expect(told.status().children).toBeUndefined();
	});

	it('works beside its siblings, at most four at a time', async () => {
		const tasks = ['one', 'two', 'three', 'four', 'five', 'six'].map(name => `task ${name}`);
		const atWork = new Set<string>();
		let most = 0;
		const gate = Promise.withResolvers<void>();
		const told = await openFamily({
			parent: [calls(...tasks.map(task => child(task))), says('Done.')],
			children: Object.fromEntries(tasks.map(task => [task, [says(`did ${task}`)]])),
			async onRequest(_request, task) {
				if (task === undefined) return;
				atWork.add(task);
				most = Math.max(most, atWork.size);
				await gate.promise;
				atWork.delete(task);
			},
		});
		void told.run('All six');
		await told.until(() => (told.status().children ?? []).filter(({state}) => state === 'running').length === 4);
		await told.requested(5);
		expect((told.status().children ?? []).map(({state}) => state)).toEqual([
			...Array<string>(4).fill('running'),
			...Array<string>(2).fill('waiting'),
		]);
		gate.resolve();
		await told.rest();
		expect(most).toBe(4);
		expect(itemsOf(told.items(), 'child_ended').map(({outcome}) => outcome)).toEqual(tasks.map(() => 'finished'));
	});

	it('begins as a copy of the conversation when it is a fork', async () => {
		const told = await openFamily({
			parent: [says('Hello.'), calls(child('Go on alone.', {context: 'fork'})), says('Done.')],
			children: {'Go on alone.': [says('I know the secret.')]},
		});
		await told.run('The secret is 42.');
		await told.rest();
		await told.run('Now fork');
		await told.rest();
		const forked = told.requests[2];
		const texts = JSON.stringify(forked?.messages);
		for (const text of ['The secret is 42.', 'Hello.', 'Now fork', 'Go on alone.']) expect(texts).toContain(text);
		expect(texts).not.toContain('tool_call');
		expect(forked?.tools).toEqual(told.requests[0]?.tools);
		const [ended] = itemsOf(told.items(), 'child_ended');
		expect(ended).toMatchObject({outcome: 'finished', requests: 1, usage: {input: 10, output: 5}});
	});

	it('cannot start children', async () => {
		const told = await openFamily({
			parent: [calls(child('Delegate.')), says('Done.')],
			children: {'Delegate.': [calls(child('Something else.')), says('Could not.')]},
		});
		await told.run('Go');
		await told.rest();
		const [started] = itemsOf(told.items(), 'child_started');
		const own = await childItems(told, started!.child);
		expect(itemsOf(own, 'tool_result')).toMatchObject([{isError: true}]);
		expect(itemsOf(told.items(), 'child_started')).toHaveLength(1);
	});

	it('asks the user with its name, and every session of the family shows the question', async () => {
		const told = await openFamily(
			{
				parent: [calls(child('Write a file.')), says('Done.')],
				children: {
					'Write a file.': [calls(['write_file', {path: 'a.txt', content: 'x'}]), says('Written.')],
				},
			},
			{approval: {mode: 'ask', rules: {user: [], project: []}}},
		);
		await told.run('Go');
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		const [started] = itemsOf(told.items(), 'child_started');
		expect(ask).toMatchObject({child: {id: started?.child, title: 'Write a file.'}});
		expect(told.status().children).toMatchObject([{asks: 1}]);
		const opened = await told.pod.child(started!.child);
		if (!opened.ok) throw new Error(opened.sentence);
		const seen: string[] = [];
		opened.pod.subscribe(event => {
			if (event.type === 'snapshot') seen.push(...event.status.asks.map(({title}) => title));
		});
		expect(seen).toEqual([ask?.title]);
		expect(await told.pod.send({method: 'answer', askId: ask!.id, choice: 'deny'})).toEqual({accepted: true});
		await told.rest();
		const own = await childItems(told, started!.child);
		expect(itemsOf(own, 'tool_result')).toMatchObject([{details: {denied: {by: 'user'}}}]);
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'finished'}]);
	});

	it('is allowed what the user allowed its parent for the session, and the other way round', async () => {
		const write = (path: string) => calls(['write_file', {path, content: 'x'}]);
		const told = await openFamily(
			{
				parent: [calls(child('Write a file.')), write('b.txt'), says('Done.')],
				children: {'Write a file.': [write('a.txt'), says('Written.')]},
			},
			{approval: {mode: 'ask', rules: {user: [], project: []}}},
		);
		await told.run('Go');
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		const forSession = ask!.choices.find(({label}) => label.includes('session'));
		await told.pod.send({method: 'answer', askId: ask!.id, choice: forSession!.choice});
		await told.rest();
		expect(itemsOf(told.items(), 'tool_result').map(({isError}) => isError)).toEqual([false, false]);
	});

	it('never has a laxer mode than its parent', async () => {
		const gate = Promise.withResolvers<void>();
		const told = await openFamily(
			{
				parent: [calls(child('Wait.')), says('Done.')],
				children: {'Wait.': [says('Waited.')]},
				onRequest: async (_request, task) => (task === undefined ? undefined : gate.promise),
			},
			{approval: {mode: 'accept-edits', rules: {user: [], project: []}}},
		);
		await told.run('Go');
		await told.requested(2);
		const [started] = itemsOf(told.items(), 'child_started');
		const opened = await told.pod.child(started!.child);
		if (!opened.ok) throw new Error(opened.sentence);
		let mode: string | undefined;
		opened.pod.subscribe(event => {
			if (event.type === 'snapshot' || event.type === 'status') mode = event.status.approval;
		});
		expect(mode).toBe('accept-edits');
		await opened.pod.send({method: 'approval', mode: 'auto'});
		expect(mode).toBe('accept-edits');
		await told.pod.send({method: 'approval', mode: 'ask'});
		expect(mode).toBeUndefined();
		gate.resolve();
		await told.rest();
	});

	it('may have fewer tools and a smaller scope than its parent, and not another folder', async () => {
		const told = await openFamily({
			parent: [
				calls(
					child('Only read.', {tools: ['read_file'], scope: {writable: false}}),
					child('Elsewhere.', {scope: {path: '..'}}),
				),
				says('Done.'),
			],
			children: {'Only read.': [says('Read.')]},
		});
		await told.run('Go');
		await told.rest();
		expect(told.requests.find(({tools}) => tools.length === 1)?.tools.map(({name}) => name)).toEqual(['read_file']);
		expect(itemsOf(told.items(), 'child_started')).toMatchObject([
			{scope: {writable: false}, tools: ['read_file']},
		]);
		const refused = itemsOf(told.items(), 'tool_result').find(({isError}) => isError);
		expect(refused?.content).toContain('is not a folder in the working directory');
	});

	it('says so in its result when the user stops it', async () => {
		const told = await openFamily({
			parent: [calls(child('Hang.')), says('Done.')],
			children: {'Hang.': [[{type: 'text', text: 'I begin'}, {type: 'stall'}]]},
		});
		await told.run('Go');
		await told.requested(2);
		const [started] = itemsOf(told.items(), 'child_started');
		expect(await told.pod.send({method: 'stop_child', child: started!.child})).toEqual({accepted: true});
		await told.rest();
		const [result] = itemsOf(told.items(), 'tool_result');
		expect(result).toMatchObject({isError: true, content: expect.stringContaining('The user stopped')});
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'stopped'}]);
		expect(itemsOf(told.items(), 'run_end')).toMatchObject([{outcome: 'finished'}]);
	});

	it('is interrupted with its parent, and goes on when the parent is resumed', async () => {
		const gate = Promise.withResolvers<void>();
		const told = await openFamily({
			parent: [calls(child('Two steps.')), says('Done.')],
			children: {'Two steps.': [calls(['glob', {pattern: '*'}]), says('Both.')]},
			onRequest: async (request, task) => {
				const isSecond = task !== undefined && JSON.stringify(request.messages).includes('tool_result');
				if (isSecond) await gate.promise;
			},
		});
		await told.run('Go');
		await told.requested(3);
		const pausing = told.pod.send({method: 'pause'});
		gate.resolve();
		await pausing;
		await told.until(() => told.status().kind === 'paused');
		expect(itemsOf(told.items(), 'child_ended')).toEqual([]);
		await told.pod.send({method: 'resume'});
		await told.rest();
		expect(itemsOf(told.items(), 'child_started')).toHaveLength(1);
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'finished'}]);
		expect(itemsOf(told.items(), 'run_end').map(({outcome}) => outcome)).toEqual(['paused', 'finished']);
	});

	it('ends when the user goes on without it, and its call is answered from its history', async () => {
		const told = await openFamily({
			parent: [calls(child('Hang.')), says('Without it.')],
			children: {'Hang.': [[{type: 'text', text: 'I found one thing.'}, {type: 'stall'}]]},
		});
		await told.run('Go');
		await told.requested(2);
		await streamed(told, 'I found one thing.');
		await told.pod.send({method: 'pause'});
		await told.until(() => told.status().kind === 'paused');
		await told.run('Never mind');
		await told.rest();
		const result = itemsOf(told.items(), 'tool_result').find(({partialOf}) => partialOf === undefined);
		expect(result?.content).toContain('I found one thing.');
		expect(result?.content).toContain('[Interrupted');
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'interrupted'}]);
	});

	it('works in the background, and its answer comes as a notification', async () => {
		const gate = Promise.withResolvers<void>();
		const told = await openFamily({
			parent: [calls(child('Later.', {background: true})), says('Started it.')],
			children: {'Later.': [says('The late answer.')]},
			onRequest: async (_request, task) => (task === undefined ? undefined : gate.promise),
		});
		await told.run('Go');
		await told.rest();
		expect(told.status().children).toMatchObject([{background: true}]);
		gate.resolve();
		await told.until(() => JSON.stringify(told.items()).includes('The late answer.'));
		expect(itemsOf(told.items(), 'run_end')).toHaveLength(1);
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'finished'}]);
	});

	it('is named on a card before the user leaves while it works in the background', async () => {
		const gate = Promise.withResolvers<void>();
		const told = await openFamily({
			parent: [calls(child('Later.', {background: true})), says('Started it.')],
			children: {'Later.': [says('The late answer.')]},
			onRequest: async (_request, task) => (task === undefined ? undefined : gate.promise),
		});
		await told.run('Go');
		await told.rest();
		const leaving = told.pod.send({method: 'leave'});
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		expect(ask).toMatchObject({title: 'Quit and stop a child session?', detail: 'Child session: Later.'});
		await told.pod.send({method: 'answer', askId: ask!.id, choice: 'deny'});
		expect(await leaving).toMatchObject({accepted: false});
		gate.resolve();
		await told.until(() => told.status().children === undefined);
	});

	it('wakes its parent when the call says so', async () => {
		const gate = Promise.withResolvers<void>();
		const told = await openFamily({
			parent: [calls(child('Later.', {background: true, wake: true})), says('Started it.'), says('Thanks.')],
			children: {'Later.': [says('The late answer.')]},
			onRequest: async (_request, task) => (task === undefined ? undefined : gate.promise),
		});
		await told.run('Go');
		await told.rest();
		gate.resolve();
		await told.until(() => itemsOf(told.items(), 'run_end').length === 2);
		expect(JSON.stringify(told.requests.at(-1)?.messages)).toContain('The late answer.');
	});

	it('is started by the user with /pod, and its answer waits for the next turn', async () => {
		const told = await openFamily({
			parent: [says('Thanks.')],
			children: {'Look around.': [says('Seen.')]},
		});
		expect(await told.pod.send({method: 'start_child', task: 'Look around.'})).toEqual({accepted: true});
		await told.until(() => itemsOf(told.items(), 'child_ended').length === 1);
		await told.until(() => JSON.stringify(told.items()).includes('Seen.'));
		await told.run('Go on');
		await told.rest();
		expect(JSON.stringify(told.requests.at(-1)?.messages)).toContain('Seen.');
	});
});

/** Resolves when the only child has streamed a text. */
async function streamed(told: Family, text: string): Promise<void> {
	const [started] = itemsOf(told.items(), 'child_started');
	const opened = await told.pod.child(started!.child);
	if (!opened.ok) throw new Error(opened.sentence);
	await new Promise<void>(resolve => {
		opened.pod.subscribe(event => {
			const isThere = event.type === 'delta' || event.type === 'snapshot';
			if (isThere && JSON.stringify(event).includes(text)) resolve();
		});
	});
}
