import {describe, expect, it} from 'vitest';
import {createEntries} from '../../../../src/pod/run/queue/message-queue.ts';
import {text} from './queue-stage.ts';

const message = (id: string) => ({id, segments: text(id)});

describe('a message that is to be saved', () => {
	it('is not shown, sent or taken before it is saved', () => {
		const shown: string[][] = [];
		const entries = createEntries([], queue => shown.push(queue.map(({id}) => id)));
		entries.add({...message('one'), state: 'queued', isStored: true});
		expect([entries.get('one'), entries.next(), entries.take(), shown]).toEqual([undefined, undefined, [], []]);
		entries.setSaved(new Set(['one']));
		expect([entries.get('one')?.id, entries.next()?.id, shown]).toEqual(['one', 'one', [['one']]]);
		expect(entries.take()).toMatchObject([{id: 'one'}]);
	});
});

it('a message that its client keeps is ready at once', () => {
	const entries = createEntries([], () => {});
	entries.add({...message('one'), state: 'queued', isStored: false});
	expect([entries.get('one')?.id, entries.next()?.id]).toEqual(['one', 'one']);
});
