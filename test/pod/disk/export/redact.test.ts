import {describe, expect, it} from 'vitest';
import {createRedactor, redactItems, findSecrets} from '../../../../src/pod/disk/export/redact.ts';
import type {Segment} from '../../../../src/pod/protocol.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {createItems} from '../../../helpers/items.ts';
import {growthOf} from './hostile.ts';
import {createMaker, forms} from './planted.ts';
import {innocentCommands, innocentHashes, optionForms} from './planted-options.ts';
import {innocentPrograms, programForms} from './planted-programs.ts';

const key = `sk-ant-api03-${'a1B2'.repeat(12)}`;

/** Returns what is left of a text beside other texts. */
function shown(text: string, ...others: readonly string[]): string {
	const make = createItems();
	const {items} = redactItems([make.assistant(text), ...others.map(other => make.assistant(other))]);
	const [item] = items;
	return item?.type === 'message' ? item.text : '';
}

function wrapped(text: string, width: number): string {
	return text.replaceAll(new RegExp(`.{${width}}`, 'g'), line => `${line}\n`);
}

describe('the search for secrets', () => {
	it.each([...forms, ...optionForms, ...programForms])('finds one value, wherever it is: %s', (_, plant) => {
		const make = createMaker(1);
		const {text, secret} = plant(make);
		const wrapped = [
			text,
			`see this: ${text} there\nand more`,
			JSON.stringify({command: `echo ${text}`}),
			JSON.stringify({a: JSON.stringify({content: `${text}\n`})}),
		];
		for (const whole of wrapped) {
			const {items, count} = redactItems([createItems().assistant(whole)]);
			expect([JSON.stringify(items).includes(secret), count, JSON.stringify(items)]).toEqual([
				false,
				1,
				expect.anything(),
			]);
			if (/^\{"/.test(whole)) expect(() => JSON.parse(shown(whole)) as unknown).not.toThrow();
		}
	});

	it.each([
		'const token: string = readToken(options);',
		'password: z.string().min(8)',
		'the secret of a good test is a name',
		'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
		'https://example.com/a/b?c=d#e user@example.com git@github.com:a/b.git',
		'http://localhost:3000/@vite/client http://[::1]:8080/a@b',
		'max_output_tokens = 1000000',
		'01M8525R8JQ5VAYZWPQ1EW4DX0',
		'risk-assessment-and-other-hyphenated-words',
		'DB_PASS=***',
		'password: <your password>',
		'API_KEY=${API_KEY} TOKEN=$TOKEN',
		'const apiKey = process.env.API_KEY;',
		'token: {{ secrets.TOKEN }}',
		'password = options.password',
		'{"password": null, "token": true, "secret": ""}',
		'--password <password>',
		'POSTGRES_PASSWORD_FILE=/run/secrets/postgres1',
		'api_key="your-api-key"',
		'"password": {"type": "string", "minLength": 12}',
		'type: string; password?: string; token!: Token;',
		'"password": "Enter your password, at least 8 characters"',
		'Authorization: Bearer $TOKEN',
		"headers['Authorization'] = `Bearer ${token}`",
		'tokens: 123456 (67% cached)',
		'key: "src/pod/export/redact.ts"',
		'cache-key: npm-linux-x64-v24',
		'password: [redacted: password or token]',
		'mkdir -p src/a1b2c3/d4 && docker run -p 8080:8080 x',
		'passed 12 tests, 3 tokens a1b2',
		...innocentCommands,
		...innocentHashes,
		...innocentPrograms,
	])('keeps an innocent text: %s', text => {
		expect(findSecrets(text).map(({value}) => value)).toEqual([]);
	});

	it.each([
		'sk-',
		'a.',
		'a1-',
		'password=',
		'password="',
		'"password":\\"',
		'-----BEGIN PRIVATE KEY-----',
		'-----END PRIVATE KEY-----',
		'eyJ',
		'eyJabcdefghijk.',
		'https://',
		'://a:b@',
		'\\"',
		'\\u0041',
		'token ',
		'token:\n',
		'"',
		'Cookie: ',
		'authorization: ',
		' -p',
		'curl -u ',
		'gem push -k ',
		'vault login ',
		'skopeo --creds a:',
		'$1',
		'\\$',
		'$2y$10$',
		'$argon2id$v=19,',
		`$sha1$${'$'.repeat(60)} `,
		`$argon2id$${'$'.repeat(36)} `,
		'machine a login b password ',
		'a:5432:b:c:',
		'echo a |',
		'password: [',
		'password=)',
		'name="password" ',
		'\\\n',
		'mysql \\\n -p',
		'"mysql", ',
		'"", ',
		'" ;',
		'\' | "',
		'\n- a',
		'\n- --token',
		'- a\nargs:\n',
		'{ssha}',
		'pbkdf2$a$a$',
		'sha1$a$',
		'identified by *',
		'*0123456789ABCDEF',
		'$A$005$',
		'SCRAM-SHA-1$1:',
		'me:0123456789abc:1234:',
		'user a on ',
		'$SHA$a',
		'::a:0123456789abcdef',
		'kind: Secret\n',
		'"kind":"Secret"',
		'"data":{"a":"b"},"kind":"Secret"',
		'kind: Secret\ndata:\n',
		'vault kv put a b=c ',
		'vault kv put ',
		'kubectl create secret --from-literal=a=b ',
		'fly secrets set a=b ',
		'echo a | passwd ',
		"printf '%s",
		'pulumi config set ',
		'aws put-parameter SecureString ',
		'composer config http-basic.',
		'qpdf --encrypt a ',
		'chpasswd <<a\n',
		'ftp <<a\nuser a ',
		'host.example me@host.example:',
		'"a" * "',
		'user=a b=c ',
		'-o a,',
		'"password" {',
		'AUTH a ',
		'USER PASSWORD ',
		'"type":"random_password"',
		'password:</b>',
		'Password for the elastic user',
		'mysql --password ',
		'{"type":"a",',
		'Digest ',
		'isql a ',
		'!a ',
		'password: !a ',
		'kubectl patch secret "data":{',
		'variable "password" {',
		'chpasswd:\n list:\n',
		'<name>password</name>',
		';Password=',
	])('reads a hostile line of a megabyte in linear time: %s', part => {
		expect(growthOf(part)).toBeLessThan(24);
	});
});

describe('a redactor', () => {
	it('keeps the items, their ids and the JSON of calls', () => {
		const make = createItems();
		const items = [make.user(key), make.call('c', 'bash', {command: `echo ${key}`}), make.result('c', key, key)];
		const redacted = redactItems(items);
		expect(redacted.items.map(({id, type}) => [id, type])).toEqual(items.map(({id, type}) => [id, type]));
		const call = redacted.items.find(item => item.type === 'tool_call');
		expect(JSON.parse(call!.arguments)).toEqual({command: 'echo [redacted: Anthropic key]'});
		expect(redacted.count).toBe(1);
		expect(redacted.found.map(({name, item, count}) => [name, item, count])).toEqual(
			items.map(({id}) => ['Anthropic key', id, 1]),
		);
	});

	it('returns items without a secret as they are', () => {
		const make = createItems();
		const items: readonly Item[] = [make.setup(), make.user('nothing here'), make.sent(), make.end()];
		expect(redactItems(items).items.every((item, index) => item === items[index])).toBe(true);
	});

	it('leaves out a value everywhere, also encoded, once it is found', () => {
		const secret = 'hunter2/"x&7 y';
		const json = JSON.stringify(secret).slice(1, -1);
		const encoded = [
			`It is ${secret}.`,
			`{"a":"${json}"}`,
			JSON.stringify({a: `{"a":"${json}"}`}),
			`https://example.com/${encodeURIComponent(secret)}`,
			`<b>${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</b>`,
			Buffer.from(secret).toString('hex'),
			...['', 'a', 'ab', 'me:', 'user:'].map(before => Buffer.from(`${before}${secret}`).toString('base64')),
		];
		for (const text of encoded) {
			expect(shown(text)).toBe(text);
			expect(shown(text, `DB_PASS='${secret}'`)).toContain('[redacted: password or token]');
		}
	});

	const value = "Xk9!pQ(7z)*v'wé/a";
	it.each([
		['an address of Python', 'Xk9%21pQ%287z%29%2Av%27w%C3%A9/a'],
		['an address, encoded twice', encodeURIComponent(encodeURIComponent(value))],
		['an address that is encoded as a whole', '%58%6b%39%21%70%51%28%37%7a%29%2a%76%27%77%c3%a9%2f%61'],
		['HTML with numbers', 'Xk9!pQ(7z)*v&#39;w&#xe9;&#x2F;a'],
		['JSON with numbers', String.raw`{"a":"Xk9\u0021pQ(7z)*v\u0027w\u00e9\/a"}`],
		['hex in upper case', Buffer.from(value).toString('hex').toUpperCase()],
		[
			'base64 in lines of 76',
			wrapped(Buffer.from(`${'A'.repeat(45)}${value}${'B'.repeat(60)}`).toString('base64'), 76),
		],
		[
			'base64 in lines of 64',
			wrapped(Buffer.from(`${'A'.repeat(40)}${value}${'B'.repeat(60)}`).toString('base64'), 64),
		],
		['hex in lines', wrapped(Buffer.from(`${'A'.repeat(20)}${value}`).toString('hex'), 60)],
		['JSON in an address', encodeURIComponent(String.raw`{"a":"Xk9!pQ(7z)*v\u0027w\u00e9/a"}`)],
		['HTML in an address', encodeURIComponent('Xk9!pQ(7z)*v&#39;w&#xe9;/a')],
		['HTML in HTML', 'Xk9!pQ(7z)*v&amp;#39;w&amp;#233;/a'],
		['an address in HTML', encodeURIComponent(value).replaceAll('%', '&#37;')],
		[
			'base64 in lines in an address',
			encodeURIComponent(
				wrapped(Buffer.from(`${'A'.repeat(40)}${value}${'B'.repeat(9)}`).toString('base64'), 64),
			),
		],
	])('leaves out a value in %s', (_, text) => {
		for (const one of [text, JSON.stringify({out: text})]) {
			expect(shown(one)).toBe(one);
			expect(shown(one, JSON.stringify({password: value}))).toContain('[redacted: password or token]');
		}
	});

	it('leaves out the login in a configuration of OpenVPN', () => {
		expect(shown('<auth-user-pass>\nme\nhunter2hunter2\n</auth-user-pass>')).not.toContain('hunter2');
	});

	it('knows what a value in JSON means', () => {
		expect(shown('It is hunter2/"x&7 y.', JSON.stringify({password: 'hunter2/"x&7 y'}))).toBe(
			'It is [redacted: password or token].',
		);
	});

	it('keeps JSON if a number is a secret, and leaves out what is beside it', () => {
		const make = createItems();
		const number = 834_729_164_829;
		const details = {code: number, list: [number, 1], password: 'aB1!x', inner: {pin: 482_911}};
		const {items} = redactItems([
			make.user(`PASSWORD='${number}'`),
			make.call('c', 'bash', {code: number}),
			{...make.result('c', 'ok', 'ok'), details},
		]);
		const secret = '[redacted: password or token]';
		const [, call, result] = items;
		expect(JSON.parse(call?.type === 'tool_call' ? call.arguments : '')).toEqual({code: secret});
		expect(result?.type === 'tool_result' ? result.details : {}).toEqual({
			code: secret,
			list: [secret, 1],
			password: secret,
			inner: {pin: secret},
		});
	});

	it('reads a text of 24 MB in JSON', () => {
		const text = JSON.stringify({content: `${'a'.repeat(24_000_000)}\n`});
		expect(findSecrets(text)).toEqual([]);
	});

	it('leaves out what a header in base64 says, and each line of a key', () => {
		const pair = Buffer.from('me:hunter2hunter2').toString('base64');
		expect(shown('It is hunter2hunter2.', `Authorization: Basic ${pair}`)).toBe(
			'It is [redacted: authorization header].',
		);
		const line = `MIIEowIBAAKCAQEAx${'0123456789'.repeat(4)}abcdefg`;
		const whole = ['BEGIN', 'END'].map(word => `-----${word} PRIVATE KEY-----`).join(`\n${line}\n`);
		expect(shown(`only ${line}`, whole)).toBe('only [redacted: private key]');
	});

	it('keeps words that contain a common value, and the words of the record', () => {
		expect(shown('postgres is a database', 'postgres://postgres:postgres@localhost/x')).toBe(
			'postgres is a database',
		);
		expect(shown('preabc12 abc12xyz, abc-12', 'DB_PASS=abc-12')).toBe(
			'preabc12 abc12xyz, [redacted: password or token]',
		);
		const make = createItems();
		const rule = make.item('context', {op: 'prune', ids: [], rule: {reason: 'cache_expired', bytes: 1}});
		expect(redactItems([make.user('DB_PASS=cache_expired'), rule]).items[1]).toBe(rule);
	});

	it('keeps the members of an item and the JSON of a call if a secret seems to continue in the next member', () => {
		const make = createItems();
		const open = 'password: """pass\\u0077ord: "x","Cookie: a=1; b="password: """';
		const details = {path: open, other: open, list: [open, 1], name: 'password: ["', last: 'a'};
		const {items} = redactItems([
			make.call('c', 'bash', {command: open, cwd: open}),
			{...make.result('c', 'ok', 'ok'), details},
		]);
		const [call, result] = items;
		const {command, cwd} = JSON.parse(call?.type === 'tool_call' ? call.arguments : '') as Record<string, unknown>;
		expect([typeof command, typeof cwd]).toEqual(['string', 'string']);
		expect(result?.type === 'tool_result' ? result.details : {}).toEqual({
			path: expect.any(String),
			other: expect.any(String),
			list: [expect.any(String), 1],
			name: 'password: ["',
			last: 'a',
		});
	});

	it('finds a value that begins in one part of a message and ends in the next one', () => {
		const make = createItems();
		const paste: Segment = {type: 'paste', id: '1', chars: 7, lines: 1, content: 'letmein'};
		const {items} = redactItems([make.user('DB_PASS=letmein', [{type: 'text', text: 'DB_PASS='}, paste])]);
		expect(JSON.stringify(items)).not.toContain('letmein');
	});

	it('keeps the words that tell what a part of an item is', () => {
		const make = createItems();
		const message = {...make.user('see @a'), segments: [{type: 'file_ref', path: 'a'}]};
		const system = make.system('x', {kind: 'instructions', path: 'A'});
		const {items} = redactItems([
			message,
			system,
			make.user('DB_PASS=file_ref'),
			make.user('DB_PASS=instructions'),
		]);
		expect(items.slice(0, 2)).toEqual([message, system]);
	});

	it('reads the names of members, and values in the members of an item', () => {
		const make = createItems();
		const details = {
			[key]: 1,
			env: {DB_PASS: 'hunter2hunter2'},
			list: [{name: 'API_TOKEN', value: 'abcd1234efgh'}],
			pin: 12_345_678,
		};
		const {items} = redactItems([{...make.result('c', 'ok', 'ok'), details}]);
		const [result] = items;
		expect(result?.type === 'tool_result' ? result.details : {}).toEqual({
			'[redacted: Anthropic key]': 1,
			env: {DB_PASS: '[redacted: password or token]'},
			list: [{name: 'API_TOKEN', value: '[redacted: password or token]'}],
			pin: '[redacted: password or token]',
		});
	});

	it('keeps a title short enough for its item', () => {
		const title = Array.from({length: 12}, (_, index) => `PASS=aB${index}!xy7`).join(' ');
		const [item] = redactItems([createItems().item('title', {title})]).items;
		expect(item?.type === 'title' ? item.title.length : 0).toBe(200);
	});

	it('looks into everything before it replaces anything', () => {
		const make = createItems();
		const redactor = createRedactor();
		const [parent, child] = [make.assistant('It is hunter2hunter2.'), make.user('DB_PASS=hunter2hunter2')];
		redactor.look([parent]);
		redactor.look([child], id => `child ${id}`);
		expect(redactor.items([parent])[0]).toMatchObject({text: 'It is [redacted: password or token].'});
		expect(redactor.text('hunter2hunter2')).toBe('[redacted: password or token]');
		expect(redactor.found()).toEqual({count: 1, found: [{name: 'password or token', item: 'child i2', count: 1}]});
	});
});
