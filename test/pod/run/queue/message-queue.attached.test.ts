import {expect, it} from 'vitest';
import type {Event, PodClient} from '../../../../src/pod/protocol.ts';
import {answer, says} from '../../../helpers/event-model.ts';
import {attached, served} from '../../../helpers/socket-pod.ts';
import {words} from '../turn/steering-stage.ts';
import {holding, queuePod, text, wordsOf} from './queue-stage.ts';

/** Returns the rows that a client shows, and waits for them. */
function watch(client: PodClient) {
	let queue: string[] = [];
	const waiting = new Set<() => void>();
	client.subscribe((event: Event) => {
		if (event.type !== 'status' && event.type !== 'snapshot') return;
		queue = event.status.queue.map(({state, preview}) => `${state} ${wordsOf(preview)}`);
		for (const look of waiting) look();
	});
	return async (rows: readonly string[]) => {
		const there = Promise.withResolvers<void>();
		const look = () => {
			if (JSON.stringify(queue) === JSON.stringify(rows)) there.resolve();
		};
		waiting.add(look);
		look();
		await there.promise;
	};
}

/** Opens a pod during a run, with two attached terminals. */
async function shared() {
	const {model, release} = holding(answer(says('done')), answer(says('one')), answer(says('two')));
	const told = await queuePod({model});
	await told.run('go');
	const {path} = await served(told.pod);
	return {told, release, one: await attached(path), other: await attached(path)};
}

it('every attached terminal shows the same queue and changes it', async () => {
	const {told, release, one, other} = await shared();
	const [atOne, atOther, here] = [watch(one), watch(other), watch(told.pod)];
	await one.send({method: 'queue', message: 'a', segments: text('same')});
	await other.send({method: 'queue', message: 'b', segments: text('same')});
	await told.queue('c');
	const all = ['queued same', 'queued same', 'queued c'];
	await Promise.all([atOne(all), atOther(all), here(all)]);
	await one.send({method: 'move_queued', message: 'c', before: 'a'});
	await atOther(['queued c', 'queued same', 'queued same']);
	const receipt = await other.send({method: 'take_queued', messages: ['a']});
	expect(receipt).toEqual({accepted: true, returned: [{id: 'a', segments: text('same')}]});
	expect(await other.send({method: 'release_queued', message: 'a'})).toEqual({accepted: true});
	await atOne(['queued c', 'queued same']);
	release();
	await Promise.all([atOne([]), atOther([])]);
	await told.rest();
	expect(words(told.items())).toEqual(['go', 'c', 'same']);
});

it('a cancel returns the queue to the terminal that cancelled', async () => {
	const {told, one, other} = await shared();
	for (const name of ['a', 'b']) await one.send({method: 'queue', message: name, segments: text(name)});
	const receipts = await Promise.all([
		other.send({method: 'cancel', take: true}),
		one.send({method: 'cancel', take: true}),
	]);
	const returned = receipts.map(receipt => (receipt.accepted ? (receipt.returned ?? []).map(({id}) => id) : []));
	expect(returned.flat().toSorted()).toEqual(['a', 'b']);
	expect(returned.some(ids => ids.length === 2)).toBe(true);
	expect([told.status().kind, words(told.items())]).toEqual(['idle', ['go']]);
});

it('a terminal that disconnects before it has released messages leaves them in the queue', async () => {
	const {told, one} = await shared();
	const here = watch(told.pod);
	for (const name of ['a', 'b', 'c']) await told.queue(name);
	await one.send({method: 'take_queued', messages: ['a', 'b']});
	await one.send({method: 'release_queued', message: 'a'});
	await here(['queued c', 'returned b']);
	await one.send({method: 'shutdown'});
	await here(['queued b', 'queued c']);
	expect(told.stored().map(({id}) => id)).toEqual(['b', 'c']);
});
