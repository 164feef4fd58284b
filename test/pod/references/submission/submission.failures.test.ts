import {execFile} from 'node:child_process';
import {truncate} from 'node:fs/promises';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {tempProject} from '../../../helpers/temp-project.ts';
import {accepted, failures, segmentsOf} from './submit.ts';

describe('a ref that fails', () => {
	it.each<[string, string, string, string]>([
		[
			'@./gone.md',
			'not_found',
			'[unresolved file ref: ./gone.md]',
			'./gone.md was not attached: there is no such file.',
		],
		[
			'@src/mian.ts',
			'not_found',
			'[unresolved file ref: src/mian.ts]',
			'src/mian.ts was not attached: there is no such file; did you mean src/main.ts?',
		],
		[
			'@src/main.ts:3-2',
			'bad_range',
			'[unresolved file ref: src/main.ts:3-2]',
			'src/main.ts:3-2 was not attached: the range ends before it begins.',
		],
		[
			'@src/main.ts:0',
			'bad_range',
			'[unresolved file ref: src/main.ts:0]',
			'src/main.ts:0 was not attached: line numbers start at 1.',
		],
		[
			'@src/main.ts#L0-L2',
			'bad_range',
			'[unresolved file ref: src/main.ts#L0-L2]',
			'src/main.ts#L0-L2 was not attached: line numbers start at 1.',
		],
		[
			'@src/main.ts:1:1',
			'not_found',
			'[unresolved file ref: src/main.ts:1:1]',
			'src/main.ts:1:1 was not attached: there is no such file; did you mean src/main.ts?',
		],
		[
			'@src/main.ts/',
			'not_found',
			'[unresolved file ref: src/main.ts/]',
			'src/main.ts/ was not attached: there is no such file; did you mean src/main.ts?',
		],
		[
			'@src/main.ts:9',
			'bad_range',
			'[unresolved file ref: src/main.ts:9]',
			'src/main.ts:9 was not attached: it has only 1 line.',
		],
		[
			'@../secret.md',
			'out_of_scope',
			'[unresolved file ref: ../secret.md]',
			'../secret.md was not attached: it is outside the folders that this session may read.',
		],
		[
			'@/etc/passwd',
			'out_of_scope',
			'[unresolved file ref: /etc/passwd]',
			'/etc/passwd was not attached: it is outside the folders that this session may read.',
		],
		[
			'@out',
			'out_of_scope',
			'[unresolved file ref: out]',
			'out was not attached: it is outside the folders that this session may read.',
		],
		[
			'@pipe',
			'not_a_file',
			'[unresolved file ref: pipe]',
			'pipe was not attached: it is neither a file nor a directory (a pipe, device or socket).',
		],
		[
			'@pic.png',
			'binary',
			'[unresolved file ref: pic.png]',
			'pic.png was not attached: it is binary, or not valid UTF-8 text.',
		],
		[
			'@huge.log',
			'too_large',
			'[unresolved file ref: huge.log]',
			'huge.log was not attached: it is too large (5 GB); the limit is 256 MB.',
		],
		[
			'@.env',
			'denied',
			'[unresolved file ref: .env]',
			'.env was not attached: it looks like a secret and was not confirmed.',
		],
		[
			'@loop',
			'io',
			'[unresolved file ref: loop]',
			'loop was not attached: it could not be read (too many symbolic links encountered).',
		],
	])('has the reason, one alert, a placeholder and no item: %s, %s', async (text, reason, placeholder, sentence) => {
		const project = await tempProject({
			'src/main.ts': 'x\n',
			'../secret.md': 'x',
			'pic.png': Buffer.from([137, 80, 78, 71, 0]),
			'huge.log': '',
			'.env': 'K=1',
		});
		await project.link('out', '../secret.md');
		await project.link('loop', 'loop');
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		await truncate(project.path('huge.log'), 5 * 1024 ** 3);
		const {user, attachments, alerts} = await accepted(project, `look at ${text} now`);
		expect(failures(user)).toEqual([reason]);
		expect(user.text).toBe(`look at ${placeholder} now`);
		expect(attachments).toEqual([]);
		expect(alerts).toEqual([{level: 'warn', text: sentence}]);
	});

	it('does not affect other refs', async () => {
		const project = await tempProject({'a.md': 'x'});
		const {user, attachments, alerts} = await accepted(project, '@gone.md @a.md @alice');
		expect(user.text).toBe('[unresolved file ref: gone.md] @a.md @alice');
		expect(attachments.map(item => item.text)).toEqual(['[File: a.md]\nx']);
		expect(alerts).toHaveLength(1);
	});

	it('does not fail when the secret file was confirmed', async () => {
		const project = await tempProject({'.env': 'K=1'});
		const {attachments} = await accepted(project, [
			{type: 'file_ref', path: '.env', confirmed: project.path('.env')},
		]);
		expect(attachments[0]?.text).toBe('[File: .env]\nK=1');
	});

	it.each([
		['for another file than its current one', 'prod.env'],
		['without a file name', true],
	] as const)('fails as denied when the secret file was confirmed %s', async (_, confirmed) => {
		const project = await tempProject({'.env': 'K=1', 'prod.env': 'K=2'});
		await project.link('notes', '.env');
		const named = confirmed === true ? true : project.path(confirmed);
		const {user, attachments} = await accepted(project, [{type: 'file_ref', path: 'notes', confirmed: named}]);
		expect([failures(user), attachments]).toEqual([['denied'], []]);
	});

	it('counts as failed when it was picked in the popup and has been deleted, by any name', async () => {
		const project = await tempProject();
		const {user} = await accepted(project, [{type: 'file_ref', path: 'was-here'}]);
		expect(failures(user)).toEqual(['not_found']);
		expect(user.text).toBe('[unresolved file ref: was-here]');
	});

	it('is resolved again when it has an outcome of an earlier attempt', async () => {
		const project = await tempProject({'a.md': 'x'});
		const {user} = await accepted(project, [{type: 'file_ref', path: 'a.md', outcome: {failed: 'not_found'}}]);
		expect(failures(user)).toEqual([undefined]);
	});
});

describe('the limits of a message', () => {
	it('make refs after the fifth one that was read fail with too_many, not counting failed ones', async () => {
		const project = await tempProject(
			Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map(name => [`${name}.md`, name])),
		);
		const {user, attachments, alerts} = await accepted(
			project,
			'@a.md @gone.md @b.md @a.md:1 @lost.md @c.md @d.md @e.md @f.md @a.md',
		);
		expect(failures(user)).toEqual([
			undefined,
			'not_found',
			undefined,
			undefined,
			'not_found',
			undefined,
			undefined,
			'too_many',
			'too_many',
			undefined,
		]);
		expect(attachments.map(item => item.text.split('\n')[0])).toEqual([
			'[File: a.md]',
			'[File: b.md]',
			'[File: a.md:1]',
			'[File: c.md]',
			'[File: d.md]',
		]);
		expect(alerts.map(alert => alert.text)).toEqual([
			'4 files were not attached: gone.md, lost.md (not found); e.md, f.md (too many files).',
		]);
	});

	it('bound how many refs are tried, and how many one alert names', async () => {
		const project = await tempProject({'a.md': 'a'});
		const missing = Array.from({length: 70}, (_, index) => `@./gone-${index}.md`);
		const {user, alerts} = await accepted(project, [...missing, '@a.md'].join(' '));
		expect(failures(user).at(-1)).toBe('too_many');
		expect(alerts).toHaveLength(1);
		expect(alerts[0]?.text).toMatch(/^71 files were not attached: .+gone-19\.md \(not found\); and 51 more\.$/);
	});

	it('count a repeated path and range only once', async () => {
		const project = await tempProject({'a.md': 'a\nb\n'});
		const {user, attachments} = await accepted(project, '@a.md @./a.md @a.md:1 @a.md:1-1 @"a.md"');
		const items = segmentsOf(user).flatMap(segment => (segment.type === 'file_ref' ? [segment.outcome] : []));
		expect(attachments).toHaveLength(2);
		expect(items).toEqual([{item: 'id002'}, {item: 'id002'}, {item: 'id003'}, {item: 'id003'}, {item: 'id002'}]);
	});

	it('truncate the file that exceeds the total, and make later files fail with budget', async () => {
		const project = await tempProject({'a.md': 'a'.repeat(60), 'b.md': '日'.repeat(20), 'c.md': 'c'});
		const {user, attachments, alerts} = await accepted(project, '@a.md @b.md @c.md', {
			limits: {maxFiles: 5, maxBytes: 100, maxTotalBytes: 100, maxScanBytes: 1000},
		});
		expect(attachments.map(item => item.text)).toEqual([
			`[File: a.md]\n${'a'.repeat(60)}`,
			`[File: b.md]\n${'日'.repeat(13)}\n[...truncated, 60 bytes total — use read_file for the rest]`,
		]);
		expect(attachments[1]?.origin).toMatchObject({bytes: 39, totalBytes: 60, truncated: true});
		expect(failures(user)).toEqual([undefined, undefined, 'budget']);
		expect(alerts.map(alert => alert.text)).toEqual([
			'c.md was not attached: the files before it used up the message’s limit of 100 bytes.',
		]);
	});

	it('make the next file fail with budget when the total is used up exactly', async () => {
		const project = await tempProject({'a.md': 'a'.repeat(100), 'b.md': 'b', 'empty.md': ''});
		const {user} = await accepted(project, '@a.md @empty.md @b.md @empty.md:1', {
			limits: {maxFiles: 5, maxBytes: 100, maxTotalBytes: 100, maxScanBytes: 1000},
		});
		expect(failures(user)).toEqual([undefined, undefined, 'budget', 'budget']);
	});
});
