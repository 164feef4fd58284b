import {describe, expect, it} from 'vitest';
import {childRow, childWords} from '../../../../../src/tui/transcript/rows/parts/child.ts';
import {textOf} from '../../../../../src/tui/text/row.ts';
import {stamp} from '../../../../../src/worker/index.ts';
import {countedClock} from '../../../../helpers/clock.ts';

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
	it('has its title, what became of it, the time and the tokens', () => {
		expect(textOf(childRow({started, ended}, context))).toContain('round · finished · 12 s · 8.1k tokens');
		expect(textOf(childRow({started}, context))).toContain(' · running');
	});

	it('shows the title inertly', () => {
		expect(textOf(childRow({started}, context))).not.toContain('\u001B');
		expect(childWords({child: {ended}})).toContain('finished');
	});
});
