import {describe, expect, it} from 'vitest';
import {changeOf} from '../../../../src/screen/model/approval/approval-state.ts';

describe('a press of the approval key', () => {
	it.each([
		['ask', undefined, false, 'accept-edits', false],
		['accept-edits', undefined, false, 'plan', true],
		['plan', undefined, false, 'ask', false],
		['auto', undefined, false, 'ask', false],
		['plan', 399, false, undefined, undefined],
		['plan', 400, false, 'auto', false],
		['plan', 3999, false, 'auto', false],
		['plan', 3999, true, undefined, undefined],
		['plan', 4000, false, 'ask', false],
		['plan', 4000, true, 'ask', false],
		['ask', 1000, false, 'accept-edits', false],
		['accept-edits', 1000, false, 'plan', true],
		['auto', 1000, false, 'ask', false],
	] as const)(
		'in %s, %s ms after the offer of auto (held: %j), leads to %s',
		(mode, since, isHeld, next, offersAuto) => {
			const offeredAt = since === undefined ? undefined : 10_000;
			const change = changeOf({offeredAt}, {mode, isHeld, now: 10_000 + (since ?? 0)});
			expect(change).toEqual(next === undefined ? undefined : {mode: next, offersAuto});
		},
	);
});
