import {describe, expect, it} from 'vitest';
import {redactItems, redactText, type Secrets} from '../../../src/pod/export/redact.ts';
import type {Item} from '../../../src/worker/index.ts';
import {createItems} from '../../helpers/items.ts';
import {keys, secretOf} from './keys.ts';

/** Returns a session with a text at every place where a secret may be. */
function sessionWith(text: string): readonly Item[] {
	const make = createItems();
	return [
		make.setup(),
		make.user(`see ${text} there`),
		make.item('message', {role: 'system', text: `[File: .env]\n${text}\n`, origin: {kind: 'file', path: text}}),
		make.item('reasoning', {text, ms: 1}),
		make.assistant(`It is \`${text}\`.`),
		make.call('c', 'bash', {command: `echo ${text}`}),
		make.result('c', `${text}\n`, text),
		make.item('compaction', {
			summary: text,
			firstKept: 'i1',
			keptIds: [],
			refs: [],
			refused: [],
			before: 1,
			after: 1,
			model: 'm',
			usage: {},
		}),
		make.end(),
	];
}

describe('an export', () => {
	it.each(keys)('leaves out a secret wherever it is: %s', (name, key) => {
		const {items, found} = redactItems(sessionWith(key));
		expect(JSON.stringify(items)).not.toContain(JSON.stringify(secretOf(key)).slice(1, -1));
		expect(JSON.stringify(items)).toContain(`[redacted: ${name}]`);
		expect(new Set(found.map(({item}) => item)).size).toBe(7);
		expect(new Set(found.map(one => one.name))).toEqual(new Set([name]));
	});

	it('keeps the items and the JSON of calls readable', () => {
		const {items} = redactItems(sessionWith(keys[0]![1]));
		expect(items.map(({id, type}) => [id, type])).toEqual(sessionWith('').map(({id, type}) => [id, type]));
		const call = items.find(item => item.type === 'tool_call');
		expect(JSON.parse(call!.arguments)).toEqual({command: 'echo [redacted: Anthropic key]'});
	});

	it.each([
		'const token: string = readToken(options);',
		'password: z.string().min(8)',
		'the secret of a good test is a name',
		'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
		'https://example.com/a/b?c=d#e user@example.com git@github.com:a/b.git',
		'max_output_tokens = 1000',
		'01M8525R8JQ5VAYZWPQ1EW4DX0',
		'risk-assessment-and-other-hyphenated-words',
	])('keeps an innocent text: %s', text => {
		const secrets: Secrets = new Map();
		expect(redactText(text, secrets)).toBe(text);
		expect(secrets.size).toBe(0);
	});

	it('returns items without a secret as they are', () => {
		const items = sessionWith('nothing here');
		expect(redactItems(items).items.every((item, index) => item === items[index])).toBe(true);
	});

	it.each([
		'sk-'.repeat(200_000),
		'a.'.repeat(300_000),
		'password='.repeat(100_000),
		'-----BEGIN PRIVATE KEY-----'.repeat(20_000),
		'eyJ'.repeat(200_000),
		'https://'.repeat(80_000),
	])('reads a hostile text in linear time', text => {
		const secrets: Secrets = new Map();
		expect(redactText(text, secrets).length).toBeLessThanOrEqual(text.length * 4);
	});
});
