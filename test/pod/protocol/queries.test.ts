import {describe, expect, it} from 'vitest';
import {eachQuery, queries, queryNames} from '../../../src/pod/protocol/queries.ts';

describe('the table of queries', () => {
	it('keeps the names and keys of version 1 of the wire', () => {
		expect(queryNames.map(name => [name, queries[name].ask, queries[name].key])).toEqual([
			['complete', 'complete', 'query'],
			['preflight', 'preflight', 'segments'],
			['keepImage', 'keep_image', 'data'],
			['prompts', 'prompts', 'query'],
			['namedPath', 'named_path', 'text'],
			['workflows', 'workflows', undefined],
			['permissions', 'permissions', undefined],
			['approvals', 'approvals', undefined],
			['mcp', 'mcp', undefined],
			['models', 'models', 'servers'],
			['backgroundOutput', 'background_output', 'background'],
			['stale', 'stale', 'ids'],
			['ledger', 'ledger', undefined],
			['filesSince', 'files_since', 'to'],
			['changes', 'changes', undefined],
			['spending', 'spending', undefined],
			['conversation', 'conversation', 'compaction'],
			['btw', 'btw', 'step'],
			['request', 'request', 'request'],
			['used', 'used', 'command'],
		]);
	});

	it('gives every query a function of its own', async () => {
		const client = eachQuery(name => async () => Promise.reject(new Error(name)));
		expect(Object.keys(client)).toEqual(queryNames);
		await expect(client.ledger()).rejects.toThrow('ledger');
		await expect(client.stale([])).rejects.toThrow('stale');
	});
});

describe('an answer to a query', () => {
	const row = {kind: 'user', label: 'x', bytes: 1, tokens: 1};
	const ledger = {model: '', rows: [row], totals: [], bytes: 1, tokens: 1};

	it('loses unknown keys from a newer version', () => {
		expect(queries.ledger.answer.parse({...ledger, rows: [{...row, colour: 'red'}], extra: 1})).toEqual(ledger);
	});

	it('may lack every optional key from an older version', () => {
		expect(queries.ledger.answer.parse(ledger)).toEqual(ledger);
		expect(queries.backgroundOutput.answer.parse(undefined)).toBeUndefined();
	});

	it('is refused when its kind is unknown', () => {
		expect(queries.ledger.answer.safeParse({...ledger, rows: [{...row, kind: 'hologram'}]}).success).toBe(false);
	});
});
