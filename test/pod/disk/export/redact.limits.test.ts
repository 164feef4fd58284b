import {describe, expect, it} from 'vitest';
import {redactItems} from '../../../../src/pod/disk/export/redact.ts';
import {createItems} from '../../../helpers/items.ts';
import {growthOf} from './hostile.ts';
import {createMaker} from './planted.ts';

/** Returns what is left of a text beside other texts. */
function shown(text: string, ...others: readonly string[]): string {
	const make = createItems();
	const [item] = redactItems([text, ...others].map(one => make.assistant(one))).items;
	return item?.type === 'message' ? item.text : '';
}

describe('a redactor', () => {
	it.each([200, 2000])('leaves out a known value beside %i others with the same beginning', count => {
		const others = Array.from({length: count}, (_, index) => `PASSWORD="hunter-${index}-${'longer'.repeat(4)}"`);
		expect(shown('It is hunter-x7.', 'DB_PASS=hunter-x7', others.join('\n'))).toBe(
			'It is [redacted: password or token].',
		);
	});

	it.each([1400, 100_000])('changes arguments that are nested %i deep', depth => {
		const make = createItems();
		const open = 'password: """pass\\u0077ord: "x","Cookie: a=1; b="password: """';
		const inner = JSON.stringify({command: open, key: 'DB_PASS=hunter-x7', last: ['a']});
		for (const [before, after] of [
			['[', ']'],
			['{"a":', '}'],
		] as const) {
			const text = before.repeat(depth) + inner + after.repeat(depth);
			const {items} = redactItems([{...make.call('c', 'bash', {}), arguments: text}]);
			const [call] = items;
			const left = call?.type === 'tool_call' ? call.arguments : '';
			expect(left.includes('hunter-x7')).toBe(false);
			expect(() => JSON.parse(left) as unknown).not.toThrow();
		}
	});

	it('changes details that are nested 1,400 deep', () => {
		const make = createItems();
		const open = 'password: """pass\\u0077ord: "x","Cookie: a=1; b="password: """';
		let details: Record<string, unknown> = {command: open, key: 'DB_PASS=hunter-x7', last: ['a']};
		for (let depth = 0; depth < 1400; depth++) details = {a: details};
		const {items} = redactItems([{...make.result('c', 'ok', 'ok'), details}]);
		expect(JSON.stringify(items).includes('hunter-x7')).toBe(false);
	});
});

const secret = 'x7Kq9LmPw2Rt';
const long = createMaker(3).word(9000);

/** `§` is the place of the secret. */
const forms: ReadonlyArray<readonly [label: string, text: string]> = [
	['an address in an address', 'curl https://proxy.example/get?url=https://me:§@host.example/x'],
	['an address after another one', 'redis://h1.example:6379,redis://me:§@h2.example:6379'],
	['an address after one with a password', 'amqp://a:Other7pass9@h1.example,amqp://me:§@h2.example'],
	['a proxy before an address', 'http://localhost:3128/https://me:§@host.example'],
	['a cookie after a quoted one', 'Cookie: theme="dark"; session=§'],
	['a cookie after a quoted secret', 'Cookie: a="Other7pass9"; b="x y"; session=§; c=d'],
	['a quoted cookie', 'Set-Cookie: session="§"; Path=/'],
	['a cookie after 4,000 characters', `Cookie: a=${long}; session=§`],
	['a header of 9,000 characters', `Authorization: Custom ${long}§`],
	['a bearer token of 9,000 characters', `send bearer ${long}§`],
	['.pgpass with another port', 'db.example.com:25060:app:me:§'],
	['.pgpass with a socket', '/var/run/postgresql:6543:app:me:§'],
	['.pgpass with a socket and any port', '/var/run/postgresql:*:app:me:§'],
	['.pgpass with a backslash in a user', String.raw`localhost:5432:app:a\:b:§`],
	['a JSON web token with a long payload', `eyJhbGciOiJIUzI1NiJ9.eyJ${long}.§`],
	['a JSON web token with a long header', `eyJ${long}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.§`],
	['an encrypted JSON web token', `eyJhbGciOiJSU0EtT0FFUCJ9.${long}.abcdefghij1234.${long}.§`],
	['a secret of Kubernetes with comments', 'kind: Secret # a\ndata: # b\n  # old\n  password: § # mine\n'],
	['a secret of Kubernetes with quoted keys', '"kind": "Secret"\n"stringData":\n  "pass word": "§" # mine\n'],
	['a secret of Kubernetes in braces', 'kind: Secret\ndata: {a: \'YWJjZGVm\', "b": §}\n'],
	['a secret of Kubernetes in braces and lines', 'kind: Secret\ndata: {\n  a: YWJjZGVm, # x\n  b: §,\n}\n'],
	['a secret of Kubernetes with braces in JSON', '{"kind":"Secret","data":{"a":"x{y}z1","b":"q\\"{","c":"§"}}'],
	[
		'a row after a row that is too long',
		`INSERT INTO a (id, password) VALUES (1, '${'x '.repeat(15_000)}'), (2, '§');`,
	],
	[
		'a row after a row with an open quote',
		`INSERT INTO a (password, b) VALUES (E'${"it''s ".repeat(4000)}), ('§', 2);`,
	],
	['a line of COPY after an empty column', 'COPY a (b, password) FROM stdin;\n\tOther7pass9\n1\t§\n\\.\n'],
	['the 51st option', `mysql ${'-a b '.repeat(60)}-p§`],
	['an option after 1,000 characters', `mysql --a=${'b '.repeat(1500)} -p§`],
	['an option after quotes', `mysql -e 'select 1; select 2' ${"-a 'x y' ".repeat(200)}-p§`],
	['an option in quotes', `bash -c "ls; ${'mysql -h a '.repeat(120)} -p§"`],
	['a file of AWS', 'Access key ID,Secret access key\nAKIAIOSFODNN7EXAMPLE,§/aB3dE5fG7hI9kL1mN3p\n'],
	['a file of AWS with a user', 'User name,Password,Access key ID\nme,§,AKIAIOSFODNN7EXAMPLE\n'],
	['a file of KeePass', '"Account","Login Name","Password","Web Site"\n"a, b","me","§","https://a.example"\n'],
	['a file of 1Password', 'Title,Url,Username,Password,Notes\na,,me,x1y2z3w4,"two\nlines"\nb,,me,§,\n'],
	['a long row', `name,notes,password\na,${'b '.repeat(3000)},§\n`],
];

describe('the search for secrets', () => {
	it.each(forms)('finds %s', (_, form) => {
		const text = form.replace('§', secret);
		expect(text).toContain(secret);
		for (const whole of [
			text,
			`see:\n${text}\nthere`,
			JSON.stringify({out: `\n${text}\n`}),
			text.replaceAll(/^/gm, '> '),
		])
			expect(shown(whole).includes(secret)).toBe(false);
	});

	it.each([
		'src/a.ts:1234:50:key:value123',
		'src/a.ts:1234:key:value123',
		'2001:1234:85a3:0000:8a2e:0370:7334:1234',
		'root:x:1000:1000:root:/root:/bin/bash',
		'http://localhost:3000/http://localhost:4000/@vite/client',
		'https://example.com/?next=https://example.com/a:b/c@d',
		'eyJ is the start of a token, and eyJhbGciOi.Jhb is not one',
		'kind: ConfigMap\ndata: {level: debug1}\n---\nkind: Secret\nmetadata: {name: a}\n',
		'kind: Secret\n# data:\n# the old values\nmetadata:\n  name: abcd1234\n',
		'First, the password is set\nthen, abc123def\n',
		'echo "a; mysql b" -p5secret1',
		'mysql a; scp -p5secret1',
	])('keeps an innocent text: %s', text => {
		expect(shown(text)).toBe(text);
	});

	it.each([
		'://a:b',
		'://a:b@c,',
		'https://',
		'a=://',
		'Cookie: a="',
		'Cookie: a="";',
		'a:5432:',
		'a:65432:b:c:d',
		'/a:65432:\\:',
		'-eyJ',
		'a,password\n"\n',
		'Password,A b\nx1y2z3,"',
		'A b  c ,',
		'"A b" ,',
		' -px1',
		' -ab',
		'mysql " -px1',
		'"a;mysql " -px1',
		' -u a:bcd',
		'eyJaaaaaaaaaa.eyJ-',
		'-----BEGIN PRIVATE KEY-----\naaaa',
		'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n-----END PRIVATE KEY-----',
		'kind: Secret\ndata: {a: b, ',
		'kind: Secret\ndata: {a: b,\n#',
		'kind: Secret\ndata:\n  a: " #',
		"into a (password) values ('a', ('",
		"into a (password) values ('),(",
	])('reads a hostile line of a megabyte in linear time: %s', part => {
		expect(growthOf(part)).toBeLessThan(24);
	});

	it('finds a private key of 120,000 characters', () => {
		const lines = Array.from({length: 1900}, (_, index) => `${index}x`.padStart(64, 'aB3'));
		const body = lines.join('\n');
		for (const kind of ['PGP PRIVATE KEY BLOCK', 'RSA PRIVATE KEY'])
			for (const text of [
				`-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\nafter`,
				`${body}\n-----END ${kind}-----\nafter`,
				`-----BEGIN ${kind}-----\n${body}\n\nafter it`,
			]) {
				const left = shown(`before it\n${text}`);
				expect(left).toMatch(/^before it\n\[redacted: private key\]\s{1,2}after/);
			}
	});
});
