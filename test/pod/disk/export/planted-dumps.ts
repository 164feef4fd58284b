/** The bytes of a text as programs write them. Each text has a line for 16 bytes. */
export const dumps: ReadonlyArray<readonly [label: string, write: (text: string) => string]> = [
	['xxd', dump(8, ': ', line => `${groups(line, 2).padEnd(40)} ${characters(line)}`)],
	['xxd -g1', dump(8, ': ', line => `${groups(line, 1).padEnd(48)} ${characters(line)}`)],
	['xxd -e', dump(8, ': ', line => `${groups(line, 4, true).padEnd(36)} ${characters(line)}`)],
	[
		'xxd -b',
		dump(
			8,
			': ',
			line => `${[...line].map(byte => byte.toString(2).padStart(8, '0')).join(' ')}  ${characters(line)}`,
		),
	],
	['xxd -i', text => `unsigned char a[] = {\n${chunks(text, 12).map(hexList).join(',\n')}\n};`],
	[
		'hexdump -C',
		dump(
			8,
			'  ',
			line =>
				`${`${groups(line.subarray(0, 8), 1)}  ${groups(line.subarray(8), 1)}`.padEnd(49)} |${characters(line)}|`,
		),
	],
	['hexdump', dump(7, ' ', line => groups(line, 2, true))],
	['hexdump -x', dump(7, '    ', line => groups(line, 2, true).replaceAll(' ', '    '))],
	[
		'od',
		dump(7, ' ', line =>
			groups(line, 2, true).replaceAll(/\S+/g, word => Number.parseInt(word, 16).toString(8).padStart(6, '0')),
		),
	],
	['od -b', dump(7, ' ', line => [...line].map(byte => byte.toString(8).padStart(3, '0')).join(' '))],
	['od -c', dump(7, '', line => [...line].map(cellOf).join(''))],
	[
		'od -An -c',
		text =>
			chunks(text, 16)
				.map(line => [...line].map(cellOf).join(''))
				.join('\n'),
	],
	[
		'od -An -tx1',
		text =>
			chunks(text, 16)
				.map(line => ` ${groups(line, 1)}`)
				.join('\n'),
	],
	['od -tx1z', dump(6, ' ', line => `${groups(line, 1)}  >${characters(line)}<`)],
	['tcpdump', dump(4, ':  ', line => `${groups(line, 2).padEnd(40)} ${characters(line)}`, '\t0x')],
	['Node', text => `<Buffer ${groups(Buffer.from(text), 1)}>`],
	['JSON of Node', text => JSON.stringify(Buffer.from(text))],
	['indented JSON of Node', text => JSON.stringify(Buffer.from(text), null, 2)],
	['Go', text => `[${[...Buffer.from(text)].join(' ')}]`],
	['Python', text => `bytes([${[...Buffer.from(text)].join(', ')}])`],
	['colons', text => groups(Buffer.from(text), 1).replaceAll(' ', ':')],
	['escapes', text => groups(Buffer.from(text), 1).replaceAll(/^| /g, String.raw`\x`)],
	['octal escapes', text => [...Buffer.from(text)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')],
];

function chunks(text: string, size: number): readonly Buffer[] {
	const bytes = Buffer.from(text);
	return Array.from({length: Math.ceil(bytes.length / size)}, (_, index) =>
		bytes.subarray(index * size, (index + 1) * size),
	);
}

function dump(width: number, after: string, write: (line: Buffer) => string, before = ''): (text: string) => string {
	return text =>
		chunks(text, 16)
			.map((line, index) => `${before}${(index * 16).toString(16).padStart(width, '0')}${after}${write(line)}`)
			.join('\n');
}

/** Returns groups of bytes in hex. `isReversed`: whether the last byte of a group comes first. */
function groups(line: Buffer, size: number, isReversed = false): string {
	return Array.from({length: Math.ceil(line.length / size)}, (_, index) => {
		const group = Buffer.from(line.subarray(index * size, (index + 1) * size));
		return (isReversed ? group.reverse() : group).toString('hex').padStart(isReversed ? size * 2 : 0, '0');
	}).join(' ');
}

function hexList(line: Buffer): string {
	return `  ${[...line].map(byte => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')}`;
}

function characters(line: Buffer): string {
	return line.toString('latin1').replaceAll(/[^ -~]/g, '.');
}

function cellOf(byte: number): string {
	const shown = byte === 10 ? String.raw`\n` : String.fromCharCode(byte);
	return (byte > 126 ? byte.toString(8) : shown).padStart(4);
}
