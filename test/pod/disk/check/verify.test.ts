import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {verifySession, type Finding} from '../../../../src/pod/disk/check/verify.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {call, historyOf, request, result, user} from '../fixture.ts';

const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';

function checked(
	bytes: Buffer,
	name = id,
): {
	readonly ok: boolean;
	readonly findings: ReadonlyArray<readonly [Finding['about'], Finding['level'], number | undefined]>;
} {
	const decoded = decode(bytes);
	if (!decoded.ok) throw new Error(decoded.reason);
	const {ok, findings} = verifySession({id: name, decoded});
	return {ok, findings: findings.map(({about, level, line}) => [about, level, line])};
}

const pairing = (items: readonly Item[]) => checked(historyOf(items));
const rewind = (id: string, to: string) => ({id, at: 'x', type: 'rewind', to}) as Item;

describe('the check of a session', () => {
	it('finds nothing in a complete session', () => {
		expect(
			pairing([
				user('a', '1'),
				call('b', 'c1'),
				call('c', 'c2'),
				request('d'),
				result('e', 'c2'),
				result('f', 'c1'),
				request('g'),
				user('h', '2'),
			]),
		).toEqual({ok: true, findings: []});
	});

	it('has notes for calls of the last answer that have no result', () => {
		expect(pairing([user('a', '1'), call('b', 'c1'), call('c', 'c2'), request('d'), result('e', 'c2')])).toEqual({
			ok: true,
			findings: [['pairing', 'note', 3]],
		});
		expect(pairing([user('a', '1'), call('b', 'c1')])).toEqual({ok: true, findings: [['pairing', 'note', 3]]});
	});

	it('has a note or a failure for each of 20,000 calls without a result', () => {
		const calls = Array.from({length: 20_000}, (_, at) => call(`b${at}`, `c${at}`));
		expect(pairing([user('a', '1'), ...calls]).findings).toHaveLength(20_000);
		expect(pairing([user('a', '1'), ...calls, user('z', '2')])).toMatchObject({
			ok: false,
			findings: {length: 20_000},
		});
	});

	it('fails for a call without a result before the last batch', () => {
		expect(pairing([user('a', '1'), call('b', 'c1'), request('d'), user('e', '2')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 3]],
		});
		expect(pairing([user('a', '1'), call('b', 'c1'), request('d'), request('e')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 3]],
		});
	});

	it('finds nothing for a call that was rewound', () => {
		expect(pairing([user('a', '1'), call('b', 'c1'), request('d'), rewind('r', 'a'), user('e', '2')])).toEqual({
			ok: true,
			findings: [],
		});
		expect(
			pairing([user('a', '1'), call('b', 'c1'), request('d'), rewind('r', 'd'), user('e', '2')]),
		).toMatchObject({ok: false});
	});

	it('has notes for restored calls until the conversation continues', () => {
		const change = (id: string, op: 'drop' | 'restore', ...ids: string[]) =>
			({id, at: 'x', type: 'context', op, ids}) as Item;
		const gone = [user('a', '1'), call('b', 'c1'), request('d'), rewind('r', 'a'), user('e', '2'), request('f')];
		expect(pairing([...gone, change('s', 'restore', 'r')])).toEqual({ok: true, findings: [['pairing', 'note', 3]]});
		expect(pairing([...gone, change('s', 'restore', 'r'), user('g', '3')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 3]],
		});
		expect(pairing([...gone.slice(0, 3), change('s', 'drop', 'b'), user('g', '3')])).toEqual({
			ok: true,
			findings: [],
		});
		expect(
			pairing([
				user('a', '1'),
				call('b', 'c1'),
				request('d'),
				result('e', 'c1'),
				rewind('r', 'd'),
				result('f', 'c1'),
			]),
		).toEqual({ok: true, findings: []});
	});

	it('fails for a result without a call, and for a second result', () => {
		expect(pairing([result('a', 'c1')])).toEqual({ok: false, findings: [['pairing', 'failure', 2]]});
		expect(pairing([call('a', 'c1'), result('b', 'c1'), result('c', 'c1')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 4]],
		});
	});

	it('pairs a reused call id with its results in order', () => {
		expect(pairing([call('a', 'c1'), result('b', 'c1'), request('c'), call('d', 'c1'), result('e', 'c1')])).toEqual(
			{ok: true, findings: []},
		);
	});

	it('fails for a repeated id, and for a folder of another name', () => {
		expect(pairing([user('a', '1'), user('a', '2')])).toEqual({ok: false, findings: [['shape', 'failure', 3]]});
		expect(checked(historyOf([user('a', '1')]), 'OTHER')).toEqual({ok: false, findings: [['shape', 'failure', 1]]});
	});

	it('fails for a changed line and an unreadable one', () => {
		const text = historyOf([user('a', '1'), user('b', '2'), user('c', '3')]).toString();
		expect(checked(Buffer.from(text.replace('"text":"2"', '"text":"X"')))).toEqual({
			ok: false,
			findings: [['chain', 'failure', 3]],
		});
		expect(checked(Buffer.from(text.replace(/\{"id":"b".*\n/, 'rubbish\n')))).toEqual({
			ok: false,
			findings: [['shape', 'failure', 3]],
		});
	});

	it('has a note for an unfinished tail', () => {
		const bytes = historyOf([user('a', '1'), user('b', '2')]);
		expect(checked(bytes.subarray(0, bytes.length - 20))).toEqual({
			ok: true,
			findings: [['tail', 'note', 3]],
		});
		expect(checked(bytes.subarray(0, bytes.length - 2))).toEqual({
			ok: true,
			findings: [['tail', 'note', 4]],
		});
	});

	it('counts the items by type', () => {
		const decoded = decode(historyOf([user('a', '1'), user('b', '2'), request('c')]));
		expect(decoded.ok && verifySession({id, decoded}).counts).toEqual({message: 2, request: 1});
	});
});
