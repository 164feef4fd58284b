import {describe, expect, it} from 'vitest';
import {fakeApp, fakePod, idle, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();
const turn = () => [make.user('Hello'), make.assistant('Hi'), make.request(), make.end()];

describe('/compact', () => {
	it('shows a hint, leaves the composer free while it runs, and shows the result', async () => {
		const {pod, type, press, told, draft} = await fakeApp();
		const answered = Promise.withResolvers<void>();
		pod.answer = async () => {
			await answered.promise;
			return {accepted: false, code: 'empty', sentence: 'There is nothing to summarise.'};
		};
		type('/compact mind the names');
		press('enter');
		await until(() => pod.said.length > 0);
		expect(pod.said).toEqual([{method: 'compact', hint: 'mind the names'}]);
		await until(() => draft().length === 0);
		type('next');
		answered.resolve();
		await until(() => told().length > 0);
		expect(told()).toEqual(['There is nothing to summarise.']);
		expect(draft()).toEqual([{type: 'text', text: 'next'}]);
	});

	it('undoes the latest active compaction, then the one before it, then none', async () => {
		const [one, two] = [make.compaction('One.'), make.compaction('Two.')];
		const {pod, type, press, told, commit} = await fakeApp(
			fakePod(idle, [...turn(), one, ...turn(), two, ...turn()]),
		);
		for (const id of [two.id, one.id]) {
			const before = pod.said.length;
			type('/compact undo');
			press('enter');
			await until(() => pod.said.length > before);
			expect(pod.said.at(-1)).toEqual({method: 'context', op: 'restore', ids: [id]});
			commit(make.item('context', {op: 'restore', ids: [id]}));
		}
		type('/compact undo');
		press('enter');
		await until(() => told().includes('No compaction to undo.'));
		expect(pod.said).toHaveLength(2);
	});

	it('skips compactions that a rewind removed when it undoes one, and never undoes one twice', async () => {
		const first = turn();
		const [one, two] = [make.compaction('One.'), make.compaction('Two.')];
		const undone = make.item('context', {op: 'restore', ids: [one.id]});
		const again = make.item('context', {op: 'restore', ids: [undone.id]});
		const {pod, type, press} = await fakeApp(
			fakePod(idle, [...first, one, undone, again, ...turn(), two, make.item('rewind', {to: again.id})]),
		);
		type('/compact undo');
		press('enter');
		await until(() => pod.said.length > 0);
		expect(pod.said).toEqual([{method: 'context', op: 'restore', ids: [one.id]}]);
	});

	it('brings back the outputs that inkpod left out by itself, but not those that you pruned', async () => {
		const [ruled, own] = [
			make.item('context', {op: 'prune', ids: ['r1'], rule: {reason: 'cache_expired', bytes: 4096}}),
			make.item('context', {op: 'prune', ids: ['r2']}),
		];
		const {pod, type, press, told} = await fakeApp(fakePod(idle, [...turn(), ruled, ...turn(), own]));
		type('/compact undo');
		press('enter');
		await until(() => told().some(text => text.includes('in context again')));
		expect(pod.said).toEqual([{method: 'context', op: 'restore', ids: [ruled.id]}]);
	});
});
