import {describe, expect, it} from 'vitest';
import {createChatCitations} from '../../../../../src/worker/wires/reading/chat/chat-citations.ts';

const url = 'https://a.example/';

/** Returns the citations of the events. */
function read(...events: ReadonlyArray<readonly [event: object, message?: object]>) {
	const citations = createChatCitations();
	for (const [event, message] of events) citations.add(event, message);
	return citations.list();
}

describe('the citations of an answer', () => {
	it.each<readonly [string, ReturnType<typeof read>, readonly object[]]>([
		['URLs', read([{citations: [url]}]), [{url}]],
		[
			'URLs that come again and grow',
			read([{citations: [url]}], [{citations: [url, `${url}b`]}]),
			[{url}, {url: `${url}b`}],
		],
		[
			'URLs whose titles are elsewhere',
			read([{citations: [url], search_results: [{url, title: 'A', id: 1}]}]),
			[{url, title: 'A'}],
		],
		[
			'annotations',
			read([{}, {annotations: [{type: 'url_citation', url_citation: {url, title: 'A'}}]}]),
			[{url, title: 'A'}],
		],
		['flat annotations', read([{}, {annotations: [{type: 'url_citation', url, title: 'A'}]}]), [{url, title: 'A'}]],
		[
			'files',
			read([{}, {annotations: [{type: 'file_citation', file_citation: {filename: 'a.pdf', x: {}}}]}]),
			[{title: 'a.pdf'}],
		],
		['nothing', read([{citations: null, search_results: 'x'}, {annotations: [null, 1, {}, [], '']}]), []],
	])('are read from %s', (_, found, citations) => {
		expect(found).toEqual(citations);
	});

	it('are limited in number', () => {
		const citations = Array.from({length: 3000}, (_, at) => `${url}${at}${'x'.repeat(5000)}`);
		expect(JSON.stringify(read([{citations}])).length).toBeLessThan(1_100_000);
	});
});
