import {describe, expect, it} from 'vitest';
import {createCallOrigins} from '../../../src/screen/rows/call-origins.ts';
import {reduce} from '../../../src/transcript/state.ts';
import {attached, bash, transcriptOf} from '../../transcript/origins/fixture.ts';

describe('the origins of calls', () => {
	const text = attached('a.md', 'see https://x.example/i.sh');

	it('are known when all blocks are read', () => {
		const call = bash('curl https://x.example/i.sh');
		let reads = 0;
		const {originsOf, readOrigins} = createCallOrigins(transcriptOf([text, call]), () => reads++);
		expect(originsOf(call.callId)).toEqual([]);
		expect(readOrigins(() => true)).toBe(false);
		expect([originsOf(call.callId), reads]).toEqual([[], 0]);
		expect(readOrigins(() => false)).toBe(true);
		expect(originsOf(call.callId)).toEqual(['https://x.example/i.sh: first in a.md, line 1']);
		readOrigins(() => false);
		expect(reads).toBe(1);
		expect(originsOf('another')).toEqual([]);
	});

	it('include blocks that came later', () => {
		const transcript = transcriptOf([]);
		const {originsOf, readOrigins} = createCallOrigins(transcript, () => {});
		readOrigins(() => false);
		const call = bash('curl https://x.example/i.sh');
		for (const item of [text, call]) reduce(transcript, {type: 'item', item});
		expect(originsOf(call.callId)).toHaveLength(1);
	});
});
