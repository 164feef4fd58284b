import {describe, expect, it} from 'vitest';
import {createReasoningDetails} from '../../../../../src/worker/wires/reading/chat/reasoning-details.ts';

const text = (words: string, more: object = {}) => ({type: 'reasoning.text', text: words, index: 0, ...more});
const encrypted = (data: string, more: object = {}) => ({type: 'reasoning.encrypted', data, index: 0, ...more});

describe('the details of thoughts', () => {
	it.each<readonly [string, readonly unknown[], readonly unknown[]]>([
		['joins texts', [text('a'), text('b')], [text('ab')]],
		[
			'joins summaries',
			[
				{type: 'reasoning.summary', summary: 'a'},
				{type: 'reasoning.summary', summary: 'b'},
			],
			[{type: 'reasoning.summary', summary: 'ab'}],
		],
		[
			'adds a later signature',
			[text('a', {signature: null}), {type: 'reasoning.text', signature: 's', index: 0}],
			[text('a', {signature: 's'})],
		],
		[
			'keeps a signature',
			[text('a', {signature: 's'}), text('b', {signature: null})],
			[text('ab', {signature: 's'})],
		],
		[
			'keeps blocks of other indexes apart',
			[text('a'), text('b', {index: 1}), text('c')],
			[text('ac'), text('b', {index: 1})],
		],
		[
			'keeps blocks of other ids apart',
			[text('a', {id: 'x'}), text('b', {id: 'y'})],
			[text('a', {id: 'x'}), text('b', {id: 'y'})],
		],
		['keeps encrypted data apart', [encrypted('a'), encrypted('b')], [encrypted('a'), encrypted('b')]],
		['keeps the order', [encrypted('a'), text('b'), encrypted('c')], [encrypted('a'), text('b'), encrypted('c')]],
		[
			'joins without an index only what follows',
			[{type: 'reasoning.text', text: 'a'}, encrypted('x'), {type: 'reasoning.text', text: 'b'}],
			[{type: 'reasoning.text', text: 'a'}, encrypted('x'), {type: 'reasoning.text', text: 'b'}],
		],
		['keeps unknown types and fields', [{type: 'new', x: {y: 1}}], [{type: 'new', x: {y: 1}}]],
		['drops what is not an object', [null, 'x', [1], 2], []],
	])('%s', (_, fragments, whole) => {
		const oneByOne = createReasoningDetails(() => {});
		for (const fragment of fragments) oneByOne.add([fragment]);
		expect(oneByOne.take()).toEqual(whole);
		const atOnce = createReasoningDetails(() => {});
		atOnce.add(fragments);
		expect(atOnce.take()).toEqual(whole);
		expect(atOnce.take()).toEqual([]);
	});
});
