import {describe, expect, it} from 'vitest';
import {projectedItems} from '../../../../src/pod/ground/history/reader.ts';
import {createLedger} from '../../../../src/pod/context/ledger/ledger-query.ts';
import {estimateRequest} from '../../../../src/pod/ground/counts/estimate.ts';
import {contextSize} from '../../../../src/pod/ground/counts/usage.ts';
import {createItems} from '../../../helpers/items.ts';

describe('createLedger', () => {
	it("scales every row by the provider's count, so that the sum matches the status line", async () => {
		const make = createItems();
		const sent = [
			make.setup(),
			make.user('What stands in the file that I have attached here?'),
			make.system('A line of a file.\n'.repeat(100), {kind: 'notice', about: 'x'}),
		];
		const ask = async (ratio: number) => {
			const items = [
				...sent,
				make.assistant('Nothing of note.'),
				{...make.request(), usage: {input: ratio * estimateRequest(sent, projectedItems), output: 4}},
				make.end(),
				make.user('Thanks, then.'),
			];
			return {
				size: contextSize(items, projectedItems)!.tokens,
				ledger: await createLedger({items: () => items, stale: async () => []})(),
			};
		};
		const [once, twice] = [await ask(1), await ask(2)];
		expect(twice.ledger.rows.map(({tokens}) => tokens)).toEqual(once.ledger.rows.map(({tokens}) => 2 * tokens));
		expect(twice.ledger.bytes).toBe(once.ledger.bytes);
		expect(Math.abs(twice.ledger.tokens - twice.size)).toBeLessThan(0.1 * twice.size);
	});
});
