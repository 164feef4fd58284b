import {describe, expect, it} from 'vitest';
import type {RequestView} from '../../../../src/pod/protocol.ts';
import {requestPage, sourceName} from '../../../../src/screen/view/pages/request-page.ts';

const view: RequestView = {
	id: 'r1',
	model: 'anthropic/m\u001b[31m',
	bytes: 2048,
	isSame: true,
	pieces: [
		{text: '{"text":"', source: {kind: 'form'}},
		{text: 'Hello\u202e', source: {kind: 'item', id: 'i1', part: 'text'}},
		{text: 'x'.repeat(412), source: {kind: 'item', id: 'i2', part: 'provider data'}},
		{text: '[Summary]', source: {kind: 'rule', rule: 'summary_heading'}},
		{text: '0.5', source: {kind: 'setup', key: 'settings.temperature'}},
	],
	hidden: 0,
	headPieces: 5,
	headers: [
		{name: 'x-api-key', source: 'key'},
		{name: 'content-type', value: 'application/json', source: 'form'},
	],
};
const nameOf = (id: string) => (id === 'i1' ? '“Hello”' : undefined);

describe('the page about a request', () => {
	it('shows each piece beside its source, inert, and a signature by its size', () => {
		expect(textOf(view)).toEqual([
			'',
			'anthropic/m␛[31m · 2 KB · exactly as sent',
			'',
			'Headers',
			expect.stringContaining('x-api-key'),
			expect.stringContaining('application/json (format of the provider)'),
			expect.stringContaining('your configuration'),
			'',
			'Body',
			'format │ {"text":"',
			expect.stringMatching(/^“Hello” │ Hello./),
			'item i2 · provider data │ signature, 412 bytes',
			'rule summary_heading │ [Summary]',
			'setup settings.temperature │ 0.5',
		]);
		expect(textOf(view).join('\n')).not.toContain('\u202e');
	});

	it('says where characters are hidden', () => {
		const lines = textOf({...view, hidden: 9_000_000, headPieces: 2});
		expect(lines.at(-4)).toBe('… 9,000,000 characters not shown');
	});

	it('names a part of an item, and the rule that changed it', () => {
		const source = {kind: 'item', id: 'i1', part: 'call id', rule: 'call_id'} as const;
		expect(sourceName(source, nameOf)).toBe('“Hello” · call id · rule call_id');
	});
});

function textOf(request: RequestView): readonly string[] {
	const {lines} = requestPage(request, nameOf);
	return lines.map(({lead, spans}) =>
		[...(lead === undefined ? [] : [lead]), ...spans].map(({text}) => text).join(''),
	);
}
