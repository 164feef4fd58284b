import {describe, expect, it} from 'vitest';
import {findSecrets, redactItems} from '../../../../src/pod/disk/export/redact.ts';
import {createItems} from '../../../helpers/items.ts';
import {growthOf} from './hostile.ts';
import {createMaker} from './planted.ts';
import {dumps} from './planted-dumps.ts';
import {innocentLines, lineForms} from './planted-lines.ts';

/** Returns what is left of a text beside other texts. */
function shown(text: string, ...others: readonly string[]): string {
	const make = createItems();
	const [item] = redactItems([text, ...others].map(one => make.assistant(one))).items;
	return item?.type === 'message' ? item.text : '';
}

/** A value with its first bytes in one line of an encoding, and the others in the next lines. */
const value = "Xk9!pQ(7z)*v'w/a&Rt5#m2LsQ81ZbYc";
const text = `${'A'.repeat(45)}${value}${'B'.repeat(60)}`;

/** Returns parts of 12 characters of an encoding that tell a part of the value. */
function tellingParts(encoded: string): readonly string[] {
	return Array.from({length: encoded.length - 11}, (_, at) => encoded.slice(at, at + 12));
}

type Line = (line: string, index: number) => string;

const lines: ReadonlyArray<readonly [label: string, write: Line]> = [
	['nothing', line => line],
	['a quotation', line => `> ${line}`],
	['a quotation in a quotation', line => `> > ${line}`],
	['an added line', line => `+${line}`],
	['a removed line', line => `-${line}`],
	['indentation', line => `    ${line}`],
	['a number', (line, index) => `${index + 12}: ${line}`],
	['a number of cat', (line, index) => `${String(index + 9).padStart(6)}\t${line}`],
	['a path', (line, index) => `src/a.pem:${index + 1}:${line}`],
	['a path of a line beside a match', (line, index) => `src/a.pem-${index + 1}-${line}`],
	['a path and a sign', (line, index) => `a.diff:${index + 3}:+${line}`],
	['a comment of a shell', line => `# ${line}`],
	['a comment of C', line => `// ${line}`],
	['a comment of SQL', line => `-- ${line}`],
	['a star', line => ` * ${line}`],
	['an added comment', line => `+  # ${line}`],
	['an added quotation', line => `+> ${line}`],
	['quotes', line => `  "${line}" +`],
	['quotes with a line break', line => `  "${line}\\n" +`],
	['quotes in a list', line => `+  '${line}',`],
	['a continued line', line => `${line}\\`],
	['a carriage return', line => `> ${line}\r`],
	['a soft line break', line => `${line}=`],
	['a line break of HTML', line => `${line}<br>`],
];

describe('the search for secrets in several lines', () => {
	it.each(lineForms)('finds one value, wherever it is: %s', (_, plant) => {
		const {text: planted, secret} = plant(createMaker(1));
		const wrapped = [
			planted,
			`see this: ${planted} there\nand more`,
			JSON.stringify({command: `echo ${planted}`}),
			JSON.stringify({a: JSON.stringify({content: `${planted}\n`})}),
		];
		for (const whole of wrapped) {
			const {items, count} = redactItems([createItems().assistant(whole)]);
			expect([JSON.stringify(items).includes(secret), count]).toEqual([false, 1]);
			if (whole.startsWith('{"')) expect(() => JSON.parse(shown(whole)) as unknown).not.toThrow();
		}
	});

	it.each(innocentLines)('keeps an innocent text: %s', innocent => {
		expect(findSecrets(innocent).map(({value: found}) => found)).toEqual([]);
	});

	it('finds a secret that only a dump shows, and leaves out its characters, too', () => {
		const [, xxd] = dumps[0] ?? ['', String];
		const left = shown(xxd('NAME=me\nDB_PASS=hunter2hunter2hunter2\nX=1\n'));
		expect(left).toContain('NAME=me');
		expect(left).not.toMatch(/unter|6e74/);
	});

	it.each([
		'INSERT INTO a (password) VALUES (',
		'INSERT INTO a (password) VALUES (1),',
		'into a(',
		'COPY a (password) FROM stdin;\n',
		'COPY a (b, password) FROM stdin;\n1\t2\n',
		'a,password\n',
		'a,"',
		'|password|\n|---|\n',
		'|-',
		'<<EOF\n',
		'password <<EOF\n',
		'docker login <<< ',
		'gh secret set <<a\n',
		'CONN a/',
		'<password>\n',
		'00000000: 6875 6e74\n',
		'00000000: ',
		'   a',
		'12 34 56 78\n',
		'[1, ',
		'[1,1,1,1,1,1,1]',
		'\n    ',
	])('reads a hostile line of a megabyte in linear time: %s', part => {
		expect(growthOf(part)).toBeLessThan(24);
	});
});

describe('a redactor', () => {
	it.each(lines)('leaves out base64 and hex of a known value in lines with %s', (_, write) => {
		for (const [encoding, width] of [
			['base64', 64],
			['base64', 20],
			['hex', 60],
		] as const) {
			const whole = Buffer.from(text).toString(encoding);
			const encoded = (whole.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).map(write).join('\n');
			expect(shown(encoded)).toBe(encoded);
			const own = Buffer.from(encoding === 'hex' ? value : value.slice(1, -2)).toString(encoding);
			const left = shown(encoded, JSON.stringify({password: value}));
			expect(tellingParts(own).filter(part => left.includes(part))).toEqual([]);
		}
	});

	it.each(dumps)('leaves out a known value in the bytes of %s', (_, write) => {
		const plain = write(`${'A '.repeat(23)}${value} ${'B '.repeat(20)}\n`);
		const quoted = plain.replaceAll(/^/gm, '> ');
		const marked = write(`${'A '.repeat(23)}${'#'.repeat(value.length)} ${'B '.repeat(20)}\n`);
		for (const dump of [plain, quoted, plain.replaceAll(/^/gm, '+'), JSON.stringify({out: plain})]) {
			expect(shown(dump)).toBe(dump);
			const left = shown(dump, JSON.stringify({password: value}));
			expect(left).toContain('[redacted: password or token]');
			expect(left.length).toBeLessThan(dump.length - (plain.length - marked.length) - value.length);
			expect(left).not.toMatch(/pQ\(7|Rt5#|ZbYc/);
		}
	});

	it('leaves out two known values in one dump', () => {
		const [, xxd] = dumps[0] ?? ['', String];
		const other = 'Q81ZbYcRt5m2LsWw';
		const dump = xxd(`${'-'.repeat(10)}${value}${other}${'-'.repeat(20)}`);
		expect(shown(dump, `PASSWORD='${value}'`, `PASSWORD='${other}'`)).not.toMatch(/m2Ls|ZbYc|7a29|5738|5262/);
	});

	it('leaves out a known value in a command of PowerShell and in the text of a mail', () => {
		const command = Buffer.from(`$p = '${value}'`, 'utf16le').toString('base64');
		const mail = `It is =3D ${value.slice(0, 20)}=\n${value.slice(20)}`;
		for (const encoded of [`powershell -enc ${command}`, mail, mail.replaceAll(/^/gm, '> ')]) {
			expect(shown(encoded)).toBe(encoded);
			const left = shown(encoded, JSON.stringify({password: value}));
			expect(left).toContain('[redacted: password or token]');
			expect(left).not.toMatch(/m2Ls|Xk9!|AFgAawA5/);
		}
	});
});
