import {describe, expect, it} from 'vitest';
import {createHistoryReader, stamp, type OriginRules} from '../../../src/worker/index.ts';
import {countedClock} from '../../helpers/clock.ts';

const rules: OriginRules = {
	startsRun: ({kind}) => kind === 'call to action',
	isAside: ({kind}) => kind === 'murmur',
	compactionOf: ({kind, by}) => (kind === 'again' ? String(by) : undefined),
	orphansIn: () => [],
	orphanNotice: () => ({kind: 'orphans'}),
	cutNotice: {kind: 'cut'},
};

describe('a history reader', () => {
	const clock = countedClock();
	const system = (kind: string, by = '') =>
		stamp(clock, {type: 'message', role: 'system', text: kind, origin: {kind, by}});

	it('uses only its rules to read origins', () => {
		const {interruption} = createHistoryReader(rules);
		expect(interruption([system('murmur'), system('notice')])).toBeUndefined();
		expect(interruption([system('murmur'), system('call to action')])).toBe('died');
	});

	it('puts the files that a compaction re-read after its summary', () => {
		const first = system('first');
		const last = system('last');
		const compaction = stamp(clock, {
			type: 'compaction',
			summary: 'So far.',
			firstKept: last.id,
			keptIds: [],
			refs: [],
			refused: [],
			before: 2,
			after: 1,
			model: 'm',
			usage: {},
		});
		const file = system('again', compaction.id);
		const {projectedItems} = createHistoryReader(rules);
		expect(projectedItems([first, last, compaction, file])).toEqual([compaction, file, last]);
		const deaf = createHistoryReader({...rules, compactionOf: () => undefined});
		expect(deaf.projectedItems([first, last, compaction, file])).toEqual([compaction, last, file]);
	});
});
