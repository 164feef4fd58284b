import {createHash} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {closing, encodeBatch, headerLine, headerSum, redactedLine} from '../../../../src/pod/disk/format/line.ts';
import type {Item, ItemOf} from '../../../../src/worker/index.ts';
import {call, long, request, result, user} from '../fixture.ts';

const header = headerLine({session: 's', cwd: '/', created: 'now'});
const mark = '[redacted: text, 3 bytes]';
const secretItem = user('e', 'the secret is abc here');
const before: readonly Item[] = [user('a', 'one'), call('b', 'c1'), result('c', 'c1'), request('d'), secretItem];
const after: readonly Item[] = [user('f', 'six'), request('g')];

function text(batch: readonly Item[], sum: string): {readonly line: string; readonly sum: string} {
	const {pieces, sum: next} = encodeBatch(batch, sum);
	return {line: Buffer.concat(pieces).toString(), sum: next};
}

/** Returns the lines of a history, and the sum of each. The text of the fifth item is removed. */
function redacted(change: (entry: ItemOf<'redaction'>['lines'][number]) => object = entry => entry): string[] {
	const lines: string[] = [];
	const sums = [headerSum(header)];
	for (const item of [...before, ...after]) {
		const next = text([item], sums.at(-1) ?? '');
		lines.push(next.line);
		sums.push(next.sum);
	}
	const line = redactedLine({...secretItem, text: `the secret is ${mark} here`} as Item, sums[before.length] ?? '');
	lines[before.length - 1] = line;
	const marks = [{path: '/text', from: 14, bytes: 3}];
	const entry = {id: 'e', after: sums[before.length - 1] ?? '', rule: 'text', marks, newHash: hashOf(line)};
	lines.push(text([redaction(change(entry))], sums.at(-1) ?? '').line);
	return lines;
}

function redaction(entry: object): Item {
	return {id: 'z', at: 'now', type: 'redaction', count: 1, lines: [entry]} as Item;
}

function hashOf(line: string): string {
	return createHash('sha256').update(line).digest('hex');
}

function verdict(lines: readonly string[]): {
	readonly ok: boolean;
	readonly items: number;
	readonly sentences: string[];
} {
	const decoded = decode(Buffer.concat([Buffer.from(`${header}\n${lines.join(',\n')}`), closing]));
	if (!decoded.ok) return {ok: false, items: 0, sentences: [decoded.reason]};
	const {ok, findings} = verifySession({id: 's', decoded});
	const items = decoded.lines.filter(line => 'item' in line).length;
	return {ok, items, sentences: findings.map(({line, sentence}) => `${line}: ${sentence}`)};
}

describe('a history from which the user removed a text', () => {
	it('is intact, and lists the mark', () => {
		const {ok, items, sentences} = verdict(redacted());
		expect(items).toBe(8);
		expect(sentences.filter(sentence => sentence.includes('edacted'))).toEqual([
			'6: Redacted (text): 1 text, 3 bytes. The rest of the line is not proven.',
		]);
		expect(ok).toBe(true);
	});

	it('is damaged if no item of the chain names the line as it is', () => {
		const lines = redacted();
		expect(verdict(lines.slice(0, -1))).toMatchObject({ok: false, items: 6});
		expect(verdict(redacted(entry => ({...entry, newHash: hashOf('another')}))).ok).toBe(false);
		expect(verdict(redacted(entry => ({...entry, id: 'a'}))).ok).toBe(false);
		const changed = lines.map(line => line.replace('"z"', '"y"'));
		expect(verdict(changed).ok).toBe(false);
	});

	it('is damaged if a later item names the line in another way', () => {
		const [last = '', ...others] = redacted(entry => ({...entry, newHash: hashOf('another')})).toReversed();
		const first = redacted().at(-1) ?? '';
		const sum = /"sum":"(\w+)"/.exec(first)?.[1] ?? '';
		const {check: _check, sum: _sum, ...item} = JSON.parse(last) as Record<string, unknown>;
		const second = text([{...item, id: 'y'} as unknown as Item], sum).line;
		expect(verdict([...others.toReversed(), first]).ok).toBe(true);
		expect(verdict([...others.toReversed(), first, second]).ok).toBe(false);
	});

	it('is damaged if the item about the line comes before the line', () => {
		const [last = '', ...others] = redacted().toReversed();
		expect(verdict([last, ...others.toReversed()]).ok).toBe(false);
	});

	it('is damaged if a line before it was removed or added', () => {
		const lines = redacted();
		expect(verdict(lines.toSpliced(before.length - 2, 1)).ok).toBe(false);
		const {sum} = JSON.parse(lines[before.length - 2] ?? '') as {sum: string};
		expect(verdict(lines.toSpliced(before.length - 1, 0, text([user('x', 'added')], sum).line)).ok).toBe(false);
	});

	it('is damaged if the mark is not where the record says', () => {
		for (const wrong of [{from: 13}, {bytes: 4}, {path: '/origin'}, {path: '/id'}])
			expect(
				verdict(redacted(entry => ({...entry, marks: [{path: '/text', from: 14, bytes: 3, ...wrong}]}))).ok,
			).toBe(false);
	});

	it('never hides a change of a byte', () => {
		const lines = redacted();
		const file = lines.join(',\n');
		const anyByte = fc.record({at: fc.nat(file.length - 1), byte: fc.integer({min: 32, max: 126})});
		fc.assert(
			fc.property(anyByte, ({at, byte}) => {
				const next = `${file.slice(0, at)}${String.fromCodePoint(byte)}${file.slice(at + 1)}`;
				expect(verdict(next.split(',\n')).ok).toBe(next === file);
			}),
			{numRuns: long ? 10_000 : 300},
		);
	});

	it('never hides a changed line whose check was made again', () => {
		fc.assert(
			fc.property(fc.nat(before.length + after.length - 1), fc.string({minLength: 1}), (at, words) => {
				const lines = redacted();
				const {sum, ...item} = JSON.parse(lines[at] ?? '') as {sum: string; type: string};
				const forged = redactedLine({...item, text: words} as unknown as Item, sum);
				expect(verdict(lines.with(at, forged)).ok).toBe(false);
			}),
			{numRuns: long ? 10_000 : 200},
		);
	});
});
