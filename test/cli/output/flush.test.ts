import {describe, expect, it} from 'vitest';
import {inertJson} from '../../../src/cli/output/output.ts';
import {quoteUntrusted} from '../../../src/pod/ground/text/one-line.ts';
import {isInvisible} from '../../../src/text/invisible.ts';

const invisible = Array.from({length: 0x11_0000}, (_, code) => code)
	.filter(code => code < 0xd800 || code > 0xdfff)
	.map(code => String.fromCodePoint(code))
	.filter(character => isInvisible(character));

describe('the JSON and the quoted names of a report', () => {
	it(`escape each of the ${invisible.length} characters that a terminal does not draw`, () => {
		const all = invisible.join('');
		const shown = (text: string) => Array.from(text).filter(character => isInvisible(character));
		expect(shown(inertJson({all}))).toEqual([]);
		expect(shown(quoteUntrusted(all))).toEqual([]);
		expect(JSON.parse(inertJson({all}))).toEqual({all});
	});
});
