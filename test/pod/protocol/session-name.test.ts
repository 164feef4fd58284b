import {describe, expect, it} from 'vitest';
import {
	nameOfDraft,
	nameOfItems,
	nameOfText,
	sessionDifferences,
	sessionName,
	type NamedSession,
} from '../../../src/pod/protocol/session-name.ts';
import type {Segment} from '../../../src/pod/protocol.ts';
import type {Item} from '../../../src/worker/index.ts';
import {user} from '../disk/fixture.ts';

function paste(content: string): Segment {
	return {type: 'paste', id: '1', chars: content.length, lines: content.split('\n').length, content};
}

function shell(command: string): Item {
	const origin = {kind: 'shell', command, bytes: 0, totalBytes: 0, truncated: false} as const;
	return {id: 's', at: '', type: 'message', role: 'system', text: 'output', origin};
}

describe('the name of a session', () => {
	it.each([
		['\n\n  Fix the   login \nThe rest', 'Fix the login'],
		['---\n***\nFix it', 'Fix it'],
		['```ts\nconst a = 1;', 'const a = 1;'],
		['🙂\n', '🙂'],
		['@src/cart.ts', '@src/cart.ts'],
		['/review', '/review'],
		['[unresolved file ref: a.md] read this', '@a.md read this'],
		['カートを直して。\n詳細', 'カートを直して。'],
		['\ud800x\ud800', '\ufffdx\ufffd'],
		[' \n ', ''],
	])('from the message %j is %j', (text, name) => {
		expect(nameOfItems([user('a', text)])).toBe(name);
		expect(nameOfText(text)).toBe(name);
	});

	it('is what the user typed before or after a paste, and the first words of the paste if they typed nothing', () => {
		const log = paste('Error: x\n  at y\n');
		expect(nameOfDraft({segments: [log, {type: 'text', text: '\nWhy does this fail?'}]})).toBe(
			'Why does this fail?',
		);
		expect(nameOfDraft({segments: [paste('{\n\t"name": 1\n}')]})).toBe('"name": 1');
		expect(nameOfDraft({segments: [log, {type: 'text', text: ' '}]})).toBe('Error: x');
	});

	it('is the first command of the user only if there is no message', () => {
		expect(nameOfItems([shell('npm test\n'), shell('ls')])).toBe('!npm test');
		expect(nameOfItems([shell('npm test'), user('a', 'fix it')])).toBe('fix it');
		expect(nameOfDraft({segments: [], command: 'ls'})).toBe('!ls');
		expect(nameOfItems([])).toBeUndefined();
	});

	it('is the title that the user gave it', () => {
		expect(sessionName({title: 'Cart', words: 'hello'})).toBe('Cart');
		expect(sessionName({words: 'hello'})).toBe('hello');
	});

	it('comes only from the beginning of a long message', () => {
		expect(nameOfText(`${'-\n'.repeat(1_000_000)}late`)).toBe('-');
	});
});

describe('the differences of sessions with equal names', () => {
	const session = (dir: string, more: Partial<NamedSession> = {}): NamedSession => ({
		dir,
		words: 'hi',
		cwd: '/p',
		created: new Date(2026, 0, 31, 9, 5).toISOString(),
		...more,
	});
	const files = (...names: readonly string[]) => ({facts: {files: names, fileCount: names.length}});
	const differences = (...sessions: readonly NamedSession[]) => Object.fromEntries(sessionDifferences(sessions));

	it('are the changed files, first the one that the others did not change', () => {
		expect(
			differences(
				session('a', files('/p/src/cart.ts', 'src/tax.ts', 'x')),
				session('b', files('src/cart.ts')),
				session('c', {words: 'other', ...files('y')}),
			),
		).toEqual({a: 'src/tax.ts, +2', b: 'src/cart.ts'});
		expect(
			differences(session('a', {facts: {files: ['a', 'b'], fileCount: 40}}), session('b', {title: 'hi'})),
		).toEqual({a: 'a, +39', b: '2026-01-31 09:05'});
	});

	it('are the last words where the files are equal, and the time where the last words are equal too', () => {
		const same = files('src/cart.ts');
		expect(
			differences(
				session('a', {...same, last: 'now the tax'}),
				session('b', {...same, last: 'undo that'}),
				session('c', {last: 'hi'}),
				session('d', {last: 'hi', created: new Date(2026, 1, 1).toISOString()}),
			),
		).toEqual({a: 'now the tax', b: 'undo that', c: '2026-01-31 09:05', d: '2026-02-01 00:00'});
	});

	it('are never a part of the name, and never equal themselves', () => {
		const long = 'x'.repeat(300);
		expect(differences(session('a', {words: long, last: 'x'.repeat(120)}), session('b', {words: long}))).toEqual(
			{},
		);
	});

	it('leave out broken sessions and sessions without a name', () => {
		expect(differences(session('a', {problem: 'broken'}), session('b'))).toEqual({});
		expect(differences(session('a', {words: ''}), session('b', {words: ''}))).toEqual({});
	});

	it('take little time for thousands of equal names', () => {
		const many = Array.from({length: 3000}, (_, at) =>
			session(String(at), {...files(`f${at % 7}`), last: `${at}`}),
		);
		expect(sessionDifferences(many).get('2999')).toBe('2999');
	});
});
