import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {fold} from '../../../../src/transcript/fold.ts';
import {emptyFold} from '../../../../src/transcript/fold-state.ts';
import {blockRows} from '../../../../src/screen/rows/conversation.ts';
import type {RenderContext} from '../../../../src/screen/rows/parts/render.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {createItems} from '../../../helpers/items.ts';

function rowsOf(items: readonly Item[], context: Partial<RenderContext> = {}) {
	const state = emptyFold();
	for (const item of items) fold(state, item);
	const rows = blockRows(state.blocks[0]!, {columns: 60, view: 'normal', phase: 'waiting', ...context});
	return rows.map(row => plainText(row).trimEnd()).filter(text => text !== '');
}

const make = createItems();
const asked = make.call('a', 'ask', {questions: [{title: 'Which one?'}, {title: 'And then?'}]});
const planned = make.call('a', 'plan', {plan: '# Parser\n\n1. Write it'});

describe('the rows of a call that asks the user', () => {
	it('show each question with its answer', () => {
		const answers = [{title: 'Which one?', answer: 'this\u001B[2J'}, {title: 'And then?'}];
		const result = {...make.result('a', '1 of 2 answered', 'text'), details: {answers}};
		const rows = rowsOf([asked, result]);
		expect(rows[0]).toBe('● Ask Which one? (+1) · 1 of 2 answered');
		expect(rows.slice(1)).toEqual([expect.stringContaining('Which one? → this␛[2J'), '  │ And then? no answer']);
	});

	it('say that your answer is needed', () => {
		expect(rowsOf([asked], {phase: 'asking'})[0]).toBe('? Ask Which one? (+1) · needs your answer');
	});

	it('show the plan as Markdown with its decision, and leave it to the card before', () => {
		expect(rowsOf([planned], {phase: 'asking'})).toEqual(['? Plan Parser · needs your answer']);
		const plan = {sha256: 'f'.repeat(64), outcome: 'accepted', mode: 'auto'};
		const rows = rowsOf([planned, {...make.result('a', 'accepted', 'text'), details: {plan}}]);
		expect(rows).toEqual([
			'● Plan Parser · accepted',
			'  │ Parser',
			'  │',
			'  │ 1. Write it',
			'  │ Accepted · approval: auto',
		]);
	});

	it('show the list of tasks in the detail view only', () => {
		const call = make.call('a', 'tasks', {items: []});
		const details = {tasks: [{text: 'write', state: 'in_progress'}]};
		const result = {...make.result('a', '0 of 1 · now: write', 'text'), details};
		expect(rowsOf([call, result])).toEqual(['● Tasks · 0 of 1 · now: write']);
		expect(rowsOf([call, result], {view: 'detail'}).at(-1)).toBe('  │ ◔ write');
	});
});
