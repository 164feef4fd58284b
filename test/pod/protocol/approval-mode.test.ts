import {describe, expect, it} from 'vitest';
import {approvalModes, stricterMode} from '../../../src/pod/protocol/approval-mode.ts';

describe('the stricter mode', () => {
	it('is plan, then ask, then accept-edits, in both orders', () => {
		const order = ['plan', 'ask', 'accept-edits', 'auto'] as const;
		for (const one of approvalModes)
			for (const other of approvalModes)
				expect(stricterMode(one, other)).toBe(order[Math.min(order.indexOf(one), order.indexOf(other))]);
	});
});
