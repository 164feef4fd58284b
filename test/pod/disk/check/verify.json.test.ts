import {execFileSync} from 'node:child_process';
import {hash} from 'node:crypto';
import {isUtf8} from 'node:buffer';
import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {closing, headerLine, headerSum} from '../../../../src/pod/disk/format/line.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {user} from '../fixture.ts';

const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';
const header = headerLine({session: id, cwd: '/p', created: '2026-01-01T00:00:00.000Z'});
const sha256 = (bytes: Buffer) => hash('sha256', bytes, 'hex');

/** Returns a history whose second item is written in this way. Its check and sums are right. */
function historyWith(
	body: string | Buffer,
	{separator = ',\n', end = closing}: {separator?: string; end?: Buffer} = {},
) {
	let sum = headerSum(header);
	const lines = [JSON.stringify(user('a', '1')), body, JSON.stringify(user('c', '3'))].map(line => {
		const bytes = Buffer.from(line);
		const start = bytes.subarray(0, -1);
		const checked = Buffer.concat([start, Buffer.from(`,"check":"${sha256(bytes).slice(0, 8)}"}`)]);
		sum = sha256(Buffer.concat([Buffer.from(`${sum}\n`), checked])).slice(0, 32);
		return Buffer.concat([checked.subarray(0, -1), Buffer.from(`,"sum":"${sum}"}`)]);
	});
	const [first, second, third] = lines as [Buffer, Buffer, Buffer];
	const comma = Buffer.from(separator);
	return Buffer.concat([Buffer.from(`${header}\n`), first, comma, second, comma, third, end]);
}

const item = (more: string) =>
	`{"id":"b","at":"2026-01-01T00:00:00.000Z","type":"message","role":"user","text":"2"${more}}`;
const text = (json: string) => item('').replace('"2"', json);
const bytesIn = (bytes: Buffer, at: string, put: number[]) => {
	const index = bytes.indexOf(at);
	return Buffer.concat([bytes.subarray(0, index), Buffer.from(put), bytes.subarray(index + at.length)]);
};

const plain = historyWith(item(''));
const ends = (end: string | Buffer) => historyWith(item(''), {end: Buffer.concat([closing, Buffer.from(end)])});

/** What a history.json contains, beside usual items. Except for the file's own form, all sums and checks are right. */
const forms: ReadonlyArray<readonly [name: string, bytes: Buffer]> = [
	['nothing unusual', plain],
	['a BOM', Buffer.concat([Buffer.from('\ufeff'), plain])],
	['two BOMs', Buffer.concat([Buffer.from('\ufeff\ufeff'), plain])],
	['space before the header', Buffer.concat([Buffer.from(' \n'), plain])],
	['a NUL before the header', Buffer.concat([Buffer.from('\0'), plain])],
	['a word after the end', ends('word')],
	['a word on the line after the end', ends('word\n')],
	['a second document', ends('{}\n')],
	['a NUL after the end', ends('\0')],
	['blank lines after the end', ends('\n\n')],
	['no newline at the end', historyWith(item(''), {end: Buffer.from('\n]}')})],
	['no closing', historyWith(item(''), {end: Buffer.from('\n')})],
	['half a closing', historyWith(item(''), {end: Buffer.from('\n]\n')})],
	['two closings', historyWith(item(''), {end: Buffer.concat([closing, closing])})],
	['CRLF', Buffer.from(plain.toString().replaceAll('\n', '\r\n'))],
	['no commas', historyWith(item(''), {separator: '\n'})],
	['two commas', historyWith(item(''), {separator: ',,\n'})],
	['a blank line', historyWith(item(''), {separator: ',\n\n'})],
	['a comma before the closing', historyWith(item(''), {end: Buffer.from(',\n]}\n')})],
	['a duplicate key', historyWith(item(',"text":"3"'))],
	['a duplicate key before the id', historyWith(item('').replace('{', '{"id":"x",'))],
	['an escaped key twice', historyWith(item(String.raw`,"te\u0078t":"3"`))],
	['invalid UTF-8 in a text', historyWith(bytesIn(Buffer.from(item('')), '2', [0xff]))],
	['an overlong character', historyWith(bytesIn(Buffer.from(item('')), '2', [0xc0, 0xaf]))],
	['a surrogate in UTF-8', historyWith(bytesIn(Buffer.from(item('')), '2', [0xed, 0xa0, 0x80]))],
	['half a character', historyWith(bytesIn(Buffer.from(item('')), '2', [0xe2, 0x82]))],
	['an escaped lone surrogate', historyWith(text(String.raw`"\ud800"`))],
	['an escaped pair', historyWith(text(String.raw`"\ud83d\udc4d"`))],
	['an escaped NUL', historyWith(text(String.raw`"\u0000"`))],
	['a raw NUL in a text', historyWith(text('"\0"'))],
	['a raw tab in a text', historyWith(text('"\t"'))],
	['a raw DEL in a text', historyWith(text('"\x7f"'))],
	['U+2028 in a text', historyWith(text('"\u2028"'))],
	['an unknown escape', historyWith(text(String.raw`"\x41"`))],
	['single quotes', historyWith(text("'2'"))],
	['a number with a leading zero', historyWith(item(',"n":01'))],
	['a number with a plus', historyWith(item(',"n":+1'))],
	['a number with a bare point', historyWith(item(',"n":1.'))],
	['a number that begins with a point', historyWith(item(',"n":.5'))],
	['a hexadecimal number', historyWith(item(',"n":0x10'))],
	['NaN', historyWith(item(',"n":NaN'))],
	['Infinity', historyWith(item(',"n":-Infinity'))],
	['a very large number', historyWith(item(',"n":1e999'))],
	['a number with 400 digits', historyWith(item(`,"n":${'9'.repeat(400)}`))],
	['minus zero', historyWith(item(',"n":-0'))],
	['a comment', historyWith(item(' /* x */'))],
	['a trailing comma in an item', historyWith(item(',"n":[1,]'))],
	['an unquoted key', historyWith(item(',n:1'))],
	['undefined', historyWith(item(',"n":undefined'))],
	['200 levels', historyWith(item(`,"n":${'['.repeat(200)}${']'.repeat(200)}`))],
	['254 levels', historyWith(item(`,"n":${'['.repeat(254)}${']'.repeat(254)}`))],
	['5,000 levels', historyWith(item(`,"n":${'['.repeat(5000)}${']'.repeat(5000)}`))],
	['100,000 levels', historyWith(item(`,"n":${'['.repeat(100_000)}${']'.repeat(100_000)}`))],
	['a key __proto__', historyWith(item(',"__proto__":{"text":"x"}'))],
	['space in an item', historyWith(item(' , "n" : 1 '))],
];

const jq = (() => {
	try {
		execFileSync('jq', ['--version'], {stdio: 'ignore'});
		return (bytes: Buffer) => {
			try {
				execFileSync('jq', ['empty'], {input: bytes, stdio: ['pipe', 'ignore', 'ignore']});
				return true;
			} catch {
				return false;
			}
		};
	} catch {
		return undefined;
	}
})();

/** Whether the bytes are one JSON document (RFC 8259), perhaps after a BOM. */
function isJson(bytes: Buffer): boolean {
	if (!isUtf8(bytes)) return false;
	try {
		JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
		return true;
	} catch {
		return false;
	}
}

function isSound(bytes: Buffer): boolean {
	const decoded = decode(bytes);
	return decoded.ok && decoded.closed && verifySession({id, decoded}).ok;
}

/** The other forms are not. */
const sound: ReadonlySet<string> = new Set([
	'nothing unusual',
	'a BOM',
	'a blank line',
	'a duplicate key',
	'a duplicate key before the id',
	'an escaped key twice',
	'an escaped pair',
	'an escaped NUL',
	'a raw DEL in a text',
	'U+2028 in a text',
	'a very large number',
	'a number with 400 digits',
	'minus zero',
	'200 levels',
	'a key __proto__',
	'space in an item',
]);

describe('a history', () => {
	// Without jq on this machine, only the strict JSON reader judges.
	it.each(forms)('is called sound only if it is JSON and jq reads it: %s', (name, bytes) => {
		expect(isSound(bytes)).toBe(sound.has(name));
		if (sound.has(name)) expect([isJson(bytes), jq?.(bytes) ?? true]).toEqual([true, true]);
	});
});
