import {describe, expect, it} from 'vitest';
import type {RawOrigin} from '../../../../src/worker/index.ts';
import {originRules} from '../../../../src/pod/ground/history/reader.ts';

describe('an origin', () => {
	it.each<[RawOrigin, boolean, boolean]>([
		[{kind: 'notice', about: 'notification', run: true}, true, false],
		[{kind: 'notice', about: 'notification'}, false, true],
		[{kind: 'notice', about: 'torn'}, false, true],
		[{kind: 'notice', about: 'damaged'}, false, true],
		[{kind: 'notice', about: 'moved'}, false, true],
		[{kind: 'notice', about: 'cut'}, false, false],
		[{kind: 'shell', command: 'ls'}, false, true],
		[{kind: 'instructions', path: 'AGENTS.md'}, false, true],
		[{kind: 'submit', segments: []}, false, false],
		[{kind: 'file', path: 'a.ts'}, false, false],
		[{kind: 'of a newer inkpod'}, false, false],
	])('%j starts a run: %s, is outside the conversation: %s', (origin, startsRun, isAside) => {
		expect([originRules.startsRun(origin), originRules.isAside(origin)]).toEqual([startsRun, isAside]);
	});

	it('of a file that was read again names its compaction', () => {
		expect(originRules.compactionOf({kind: 'auto_read', compaction: 'c'})).toBe('c');
		expect(originRules.compactionOf({kind: 'file'})).toBeUndefined();
	});

	it('of orphaned results names their ids', () => {
		expect(originRules.orphansIn(originRules.orphanNotice(['a', 'b']))).toEqual(['a', 'b']);
		expect(originRules.orphansIn({kind: 'notice', about: 'stray', ids: 'a'})).toEqual([]);
	});
});
