import {describe, expect, it} from 'vitest';
import type {Preflight, Segment} from '../../../../src/pod/protocol.ts';
import {decide} from '../../../../src/screen/model/preflight/marks.ts';

const segments: readonly Segment[] = [{type: 'file_ref', path: 'notes'}];

function forecast(real: string): Preflight {
	return {
		segments,
		refs: [{ref: {type: 'file_ref', path: 'notes'}, ok: false, reason: 'denied', sentence: '', real}],
		tokens: 0,
	};
}

describe('a message with a ref to a secret', () => {
	const {told} = decide(segments, forecast('/p/.env'), undefined, 0);

	it('is sent on the second Enter with the file that the ref leads to', () => {
		expect(decide(segments, forecast('/p/.env'), told, 1000).send).toEqual([
			{type: 'file_ref', path: 'notes', confirmed: '/p/.env'},
		]);
	});

	it('needs confirmation again when the ref now leads to another file', () => {
		const second = decide(segments, forecast('/p/prod.env'), told, 1000);
		expect([second.send, second.ask]).toEqual([undefined, expect.stringContaining('looks like a secret')]);
		expect(decide(segments, forecast('/p/prod.env'), second.told, 2000).send).toMatchObject([
			{confirmed: '/p/prod.env'},
		]);
	});
});
