import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

const facts = {
	url: 'https://docs.example.com/guide',
	finalUrl: 'https://docs.example.com/guide/start',
	status: 200,
	mediaType: 'text/html',
	bytes: 20_480,
	textBytes: 12_288,
	sha256: '0'.repeat(64),
	fetchedAt: '2026-01-01T00:00:00.000Z',
};

export const webPages: {readonly [name: string]: () => Situation} = {
	'web-pages'() {
		const make = createItems();
		const page = make.system(`[Web: ${facts.url} → ${facts.finalUrl}]\n# Start\n\nInstall it first.\n`, {
			kind: 'web',
			...facts,
			sentBytes: 12_288,
			truncated: false,
		});
		const cut = make.system(
			'[Web: http://example.com:8080/]\nA long page\n[...truncated, 49152 bytes total — use fetch with url ' +
				'"http://example.com:8080/" and range "16384-" for the rest]',
			{
				...{kind: 'web', ...facts, url: 'http://example.com:8080/', finalUrl: 'http://example.com:8080/'},
				...{textBytes: 49_152, sentBytes: 16_384, truncated: true},
			},
		);
		return {
			items: [
				make.user('', [
					{type: 'text', text: 'compare '},
					{type: 'file_ref', path: facts.url, outcome: {item: page.id}},
					{type: 'text', text: ' with '},
					{type: 'file_ref', path: 'http://example.com:8080/', outcome: {item: cut.id}},
					{type: 'text', text: ' and '},
					{type: 'file_ref', path: 'http://10.0.0.1/', outcome: {failed: 'fetch'}},
				]),
				page,
				cut,
				make.call('1', 'fetch', {url: 'https://example.com/page'}),
				make.call('2', 'fetch', {url: 'https://example.com/page', range: '16384-'}),
				make.call('3', 'fetch', {url: 'http://example.com/missing'}),
				make.call('4', 'fetch', {url: 'http://127.0.0.1/'}),
				make.request('tool_calls'),
				make.result(
					'1',
					'200 · 12 KB',
					'[Web: https://example.com/page]\n[200, text/html, 12288 bytes]\n# Page\n',
				),
				make.result('2', '200 · 16 KB of 60 KB', '[Web: https://example.com/page]\nmore\n'),
				make.result('3', '404 Not Found · 9 B', '[Web: http://example.com/missing]\nnot found', true),
				make.result(
					'4',
					'The page was not fetched: the address is not public (127.0.0.1).',
					'The page was not fetched: the address is not public (127.0.0.1).',
					true,
				),
				make.assistant('They differ.'),
				make.request(),
				make.end(),
			],
		};
	},
};
