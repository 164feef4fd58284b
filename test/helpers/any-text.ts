import fc from 'fast-check';

/**
Texts of any characters, with surrogates only in pairs. `fc.string({unit: 'binary'})` needs a second of set-up in each
file that uses it.
*/
export function anyText({maxLength}: {readonly maxLength?: number} = {}): fc.Arbitrary<string> {
	return fc
		.array(codePoint, maxLength === undefined ? {} : {maxLength})
		.map(points => String.fromCodePoint(...points));
}

const surrogates = {first: 0xd800, count: 0x800};
const codePoint = fc
	.integer({min: 0, max: 0x10ffff - surrogates.count})
	.map(point => (point < surrogates.first ? point : point + surrogates.count));
