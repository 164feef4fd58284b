import {describe, expect, it} from 'vitest';
import {spansText} from '../../../../src/text/span.ts';
import {childFacts, childRenderer, childWords} from '../../../../src/screen/rows/parts/tool-arguments.ts';
import {stamp} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';

const clock = countedClock();
const started = stamp(clock, {
	type: 'child_started',
	child: 'c',
	title: 'Look \u001B[31mround',
	task: 'Look round.',
	model: 'm',
	context: 'fresh',
	scope: {pwd: '/p', writable: true},
});
const ended = stamp(clock, {
	type: 'child_ended',
	child: 'c',
	outcome: 'finished',
	requests: 2,
	usage: {input: 8000, output: 100},
	ms: 12_000,
});
const context = {columns: 80, view: 'normal', phase: 'waiting'} as const;

describe('the row of a child session', () => {
	it('has how it ended, its time and its tokens', () => {
		expect(childFacts({started, ended})).toEqual(['12 s', '8.1k tokens']);
		expect(childFacts({started, ended: {...ended, outcome: 'failed'}})[0]).toBe('failed');
		expect(childFacts({started})).toEqual([]);
		expect(childWords({child: {started}})).toContain('running');
	});

	it('shows the title inertly', () => {
		const {spans} = childRenderer.head({kind: 'child', id: 'c', open: false, child: {started}}, context);
		expect(spansText(spans)).toContain('round');
		expect(spansText(spans)).not.toContain('\u001B');
	});
});
