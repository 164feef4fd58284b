import {createServer} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {assistantRenderer} from '../../../src/screen/rows/assistant.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import type {BlockOf} from '../../../src/transcript/block.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import type {ProviderData} from '../../../src/worker/history/item.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {createItems} from '../../helpers/items.ts';

const rowsOf = (text: string, provider: ProviderData) => {
	const item = {...createItems().assistant(text), provider};
	const block: BlockOf<'assistant'> = {kind: 'assistant', id: item.id, item, open: false};
	return assistantRenderer
		.body(block, {columns: 80, view: 'normal', phase: 'waiting'})
		.map(row => plainText(row).trim());
};

const citations = [
	{
		type: 'char_location',
		cited_text: 'what the\nfile says',
		document_index: 0,
		document_title: 'a.ts',
		start_char_index: 0,
		end_char_index: 9,
	},
	{
		type: 'web_search_result_location',
		cited_text: 'HIDDEN',
		url: 'https://a.example/x',
		title: null,
		encrypted_index: 'Zm9v',
	},
];

/** Starts a Messages server whose answer has citations. It records the bodies of its requests. */
async function citingServer() {
	const bodies: string[] = [];
	const events = [
		{
			type: 'message_start',
			message: {
				id: 'm',
				type: 'message',
				role: 'assistant',
				model: 'served',
				content: [],
				stop_reason: null,
				stop_sequence: null,
				usage: {input_tokens: 1, output_tokens: 1},
			},
		},
		{type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
		{type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text: 'So it is.'}},
		...citations.map(citation => ({
			type: 'content_block_delta',
			index: 0,
			delta: {type: 'citations_delta', citation},
		})),
		{type: 'content_block_stop', index: 0},
		{type: 'message_delta', delta: {stop_reason: 'end_turn', stop_sequence: null}, usage: {output_tokens: 1}},
		{type: 'message_stop'},
	];
	const server = createServer((request, response) => {
		let body = '';
		request
			.on('data', piece => (body += String(piece)))
			.on('end', () => {
				bodies.push(body);
				response.writeHead(200, {'content-type': 'text/event-stream'});
				response.end(events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
			});
	}).listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies};
}

describe('an answer with citations', () => {
	it('shows every cited text that is sent back to the provider', async () => {
		const {url, bodies} = await citingServer();
		const model = await loadModel({provider: 'anthropic', model: 'claude-sonnet-5', apiKey: 'k', baseURL: url});
		const hello = {role: 'user', text: 'Hello.'} as const;
		const {parts} = await collect(model, ask([hello]));
		await collect(model, ask([hello, {role: 'assistant', parts}, {role: 'user', text: 'On.'}]));
		expect(bodies[1]).toContain('HIDDEN');
		const [part] = parts;
		const rows = rowsOf(part?.type === 'text' ? part.text : '', part?.provider ?? {});
		expect(rows).toEqual([
			'',
			'So it is.',
			'',
			'[1] what the file says · a.ts',
			'[2] https://a.example/x · HIDDEN',
		]);
	});

	it.each<readonly [string, ProviderData]>([
		['signatures', {google: {thoughtSignature: 'abc'}}],
		['no list', {anthropic: {citations: 'x'}}],
		['an empty list', {anthropic: {citations: []}}],
		['nothing', {anthropic: {citations: null}, openai: {}}],
	])('shows no list for %s', (_, provider) => {
		expect(rowsOf('So.', provider)).toEqual(['', 'So.']);
	});

	it.each<readonly [string, unknown, string]>([
		[
			'a web page',
			{type: 'url_citation', url: 'https://a.example/', title: 'A page'},
			'A page (https://a.example/)',
		],
		['an address', {type: 'url_citation', url: 'https://a.example/'}, 'https://a.example/'],
		['a text', 'https://a.example/', 'https://a.example/'],
		[
			'a page with more',
			{url: 'https://a.example/', title: 'A', date: '2025-01-01', start_index: 3},
			'A (https://a.example/) · 2025-01-01',
		],
		['a file', {type: 'file_citation', filename: 'a.pdf'}, 'a.pdf'],
	])('shows %s as a numbered line', (_, citation, line) => {
		const rows = rowsOf('So.', {perplexity: {citations: [citation, citation]}});
		expect(rows).toEqual(['', 'So.', '', `[1] ${line}`, `[2] ${line}`]);
	});

	it('shows citations as inert text', () => {
		const rows = rowsOf('So.', {anthropic: {citations: [{cited_text: 'a\u001b[31mb\u202Ec'}]}});
		expect(rows.join('')).not.toMatch(/[\u001b\u202E]/);
		expect(rows.at(-1)).toContain('[1] a');
	});
});
