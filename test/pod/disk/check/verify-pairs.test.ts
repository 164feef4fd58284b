import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import {createItems} from '../../../helpers/items.ts';
import {historyOf} from '../fixture.ts';

function findings(items: readonly Item[]) {
	const decoded = decode(historyOf(items));
	if (!decoded.ok) throw new Error(decoded.reason);
	const verdict = verifySession({id: '01JD8XK3Q2ABCDEFGHJKMNPQRS', decoded});
	return verdict.findings.map(({about, level, line}) => [about, level, line]);
}

describe('the check of requests and their ends', () => {
	const make = createItems();
	const [first, second] = [make.sent(), make.sent()];
	const [firstEnd, secondEnd] = [make.answered(first), make.answered(second)];
	const again = make.answered(first);
	const old = make.request();
	it.each<readonly [string, readonly Item[], ReturnType<typeof findings>]>([
		['finds nothing in pairs and requests of 0.1.0', [old, first, firstEnd, second, secondEnd], []],
		['notes a request at the end without an end', [first, firstEnd, second], [['pairing', 'note', 4]]],
		['notes a lost answer in the middle', [first, second, secondEnd], [['pairing', 'note', 2]]],
		['reports an end without a request', [first, firstEnd, secondEnd], [['pairing', 'failure', 4]]],
		[
			'reports an end before its request',
			[firstEnd, first],
			[
				['pairing', 'failure', 2],
				['pairing', 'note', 3],
			],
		],
		['reports a second end', [first, firstEnd, again], [['pairing', 'failure', 4]]],
		['reports an end of a request of 0.1.0', [old, make.answered(old)], [['pairing', 'failure', 3]]],
	])('%s', (_what, items, expected) => {
		expect(findings(items)).toEqual(expected);
	});

	it('reports a call that was never answered although another request was sent', () => {
		const call = make.call('1', 'read_file', {});
		const lost = make.sent();
		const said = make.assistant('x');
		expect(findings([first, call, firstEnd])).toEqual([['pairing', 'note', 3]]);
		expect(findings([first, call, firstEnd, lost, said])).toContainEqual(['pairing', 'failure', 3]);
	});
});
