import {describe, expect, test} from 'vitest';
import {decode} from '../../../src/pod/session/decode.ts';
import {verifySession, type Finding} from '../../../src/pod/session/verify.ts';
import type {Item} from '../../../src/worker/index.ts';
import {call, historyOf, request, result, user} from './fixture.ts';

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

describe('verifying a session', () => {
	test('that is whole, nothing found', () => {
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

	test('calls of the last batch without a result, notes', () => {
		expect(pairing([user('a', '1'), call('b', 'c1'), call('c', 'c2'), request('d'), result('e', 'c2')])).toEqual({
			ok: true,
			findings: [['pairing', 'note', 3]],
		});
		expect(pairing([user('a', '1'), call('b', 'c1')])).toEqual({ok: true, findings: [['pairing', 'note', 3]]});
	});

	test('a call that the conversation went past, a failure', () => {
		expect(pairing([user('a', '1'), call('b', 'c1'), request('d'), user('e', '2')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 3]],
		});
		expect(pairing([user('a', '1'), call('b', 'c1'), request('d'), request('e')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 3]],
		});
	});

	test('a call that a rewind took away, nothing', () => {
		expect(pairing([user('a', '1'), call('b', 'c1'), request('d'), rewind('r', 'a'), user('e', '2')])).toEqual({
			ok: true,
			findings: [],
		});
		expect(
			pairing([user('a', '1'), call('b', 'c1'), request('d'), rewind('r', 'd'), user('e', '2')]),
		).toMatchObject({ok: false});
	});

	test('calls that a restore brought back, notes until the conversation goes on; of a result that a rewind took away, nothing', () => {
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

	test('a result without a call, or a second one, a failure', () => {
		expect(pairing([result('a', 'c1')])).toEqual({ok: false, findings: [['pairing', 'failure', 2]]});
		expect(pairing([call('a', 'c1'), result('b', 'c1'), result('c', 'c1')])).toEqual({
			ok: false,
			findings: [['pairing', 'failure', 4]],
		});
	});

	test('a call id that is used again, each with its result', () => {
		expect(pairing([call('a', 'c1'), result('b', 'c1'), request('c'), call('d', 'c1'), result('e', 'c1')])).toEqual(
			{ok: true, findings: []},
		);
	});

	test('an id that stands twice, a folder of another name: failures', () => {
		expect(pairing([user('a', '1'), user('a', '2')])).toEqual({ok: false, findings: [['shape', 'failure', 3]]});
		expect(checked(historyOf([user('a', '1')]), 'OTHER')).toEqual({ok: false, findings: [['shape', 'failure', 1]]});
	});

	test('a changed line, an unreadable one: failures of chain and shape', () => {
		const text = historyOf([user('a', '1'), user('b', '2'), user('c', '3')]).toString();
		expect(checked(Buffer.from(text.replace('"text":"2"', '"text":"X"')))).toEqual({
			ok: false,
			findings: [['chain', 'failure', 3]],
		});
		expect(checked(Buffer.from(text.replace(/\{"id":"b".*\n/, 'rubbish\n')))).toEqual({
			ok: false,
			findings: [
				['shape', 'failure', 3],
				['chain', 'failure', 4],
			],
		});
	});

	test('an unfinished tail, a note', () => {
		const bytes = historyOf([user('a', '1'), user('b', '2')]);
		expect(checked(bytes.subarray(0, bytes.length - 20))).toEqual({
			ok: true,
			findings: [['tail', 'note', undefined]],
		});
		expect(checked(bytes.subarray(0, bytes.length - 2))).toEqual({
			ok: true,
			findings: [['tail', 'note', undefined]],
		});
	});

	test('the counts, by type', () => {
		const decoded = decode(historyOf([user('a', '1'), user('b', '2'), request('c')]));
		expect(decoded.ok && verifySession({id, decoded}).counts).toEqual({message: 2, request: 1});
	});
});
