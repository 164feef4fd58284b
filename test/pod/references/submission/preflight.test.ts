import {execFile} from 'node:child_process';
import {readdir, readlink, stat, truncate, utimes} from 'node:fs/promises';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {Preflight, Segment} from '../../../../src/pod/protocol.ts';
import {estimateTokens} from '../../../../src/pod/ground/text/tokens.ts';
import {
	preflight,
	type PreflightOptions,
	createRefsCache,
} from '../../../../src/pod/references/submission/preflight.ts';
import {anywhere} from '../../../helpers/slugs.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

async function forecast(
	project: TempProject,
	draft: string | readonly Segment[],
	options: Partial<PreflightOptions> = {},
): Promise<Preflight> {
	const segments = typeof draft === 'string' ? [{type: 'text', text: draft} as const] : draft;
	return preflight(segments, {
		scope: project.scope,
		limits: defaultLimits.fileRefs,
		signal: new AbortController().signal,
		cache: createRefsCache(),
		...options,
	});
}

/**
Sets a file's time back, so that a result about it may be cached. The time of the last status change must be old
too.
*/
async function settle(...paths: readonly string[]): Promise<void> {
	for (const path of paths) {
		await utimes(path, 1, 1);
		while (Date.now() - (await stat(path)).ctimeMs < 60) await new Promise(resolve => setImmediate(resolve));
	}
}

/** Tells whether this process has a file open, according to Linux. */
async function isOpen(path: string): Promise<boolean> {
	const links = (await readdir('/proc/self/fd')).map(async fd => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
	return (await Promise.all(links)).includes(path);
}

describe('the preflight of a message', () => {
	it('counts the tokens of each paste as it is sent', async () => {
		const project = await tempProject({});
		const log = 'Error: x\n  at y\n'.repeat(50);
		const {pastes, tokens} = await forecast(project, [
			{type: 'paste', id: '1', chars: log.length, lines: 100, content: log},
			{type: 'text', text: ' and '},
			{type: 'paste', id: '2', chars: 6, lines: 1, content: '@a.md!'},
		]);
		expect(pastes).toEqual([
			{id: '1', chars: log.length, lines: 100, tokens: estimateTokens(log)},
			{id: '2', chars: 6, lines: 1, tokens: estimateTokens('@a.md!')},
		]);
		expect(tokens).toBe(estimateTokens(log) + estimateTokens(' and ') + estimateTokens('@a.md!'));
		expect(await forecast(project, 'no paste')).not.toHaveProperty('pastes');
	});

	it.each<[string, string, Partial<Extract<Preflight['refs'][number], {ok: true}>>]>([
		[
			'a file',
			'@a.md',
			{
				kind: 'file',
				bytes: 8,
				totalBytes: 8,
				lines: 2,
				truncated: false,
				tokens: estimateTokens('[File: a.md]\none\ntwo\n'),
			},
		],
		['lines of it', '@a.md:2', {kind: 'file', bytes: 3, totalBytes: 8, lines: 1, truncated: false}],
		[
			'a file over the cap',
			'@big.log',
			{kind: 'file', bytes: 16_299, totalBytes: 20_000, lines: 163, truncated: true},
		],
		['a directory', '@d', {kind: 'dir', bytes: 6, totalBytes: 6, lines: 3, truncated: false}],
		['an empty directory', '@empty/', {kind: 'dir', lines: 0, truncated: false}],
		['a directory with many entries', '@many', {kind: 'dir', lines: 100, truncated: true}],
	])('returns the size of %s', async (_, text, expected) => {
		const many = Object.fromEntries(Array.from({length: 101}, (_, index) => [`many/${index}`, '']));
		const project = await tempProject({
			'a.md': 'one\ntwo\n',
			'big.log': `${'x'.repeat(99)}\n`.repeat(200),
			'd/a': '',
			'd/b/': '',
			'd/c': '',
			'empty/': '',
			...many,
		});
		expect((await forecast(project, text)).refs).toMatchObject([{ok: true, ...expected}]);
	});

	it.each([
		['@./gone.md', 'not_found'],
		['@a.md:9', 'bad_range'],
		['@../secret.md', 'out_of_scope'],
		['@pipe', 'not_a_file'],
		['@pic.png', 'binary'],
		['@huge.log', 'too_large'],
		['@.env', 'denied'],
	])('reports %s with the reason %s and its sentence', async (text, reason) => {
		const project = await tempProject({
			'a.md': 'x\n',
			'../secret.md': 'x',
			'pic.png': Buffer.from([137, 80, 78, 71, 0]),
			'huge.log': '',
			'.env': 'K=1',
		});
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		await truncate(project.path('huge.log'), 5 * 1024 ** 3);
		const {refs} = await forecast(project, `see ${text}, please`);
		expect(refs).toMatchObject([
			{
				ok: false,
				reason,
				ref: {type: 'file_ref'},
				sentence: expect.stringMatching(/ was not attached: .+\.$/) as string,
			},
		]);
	});

	it('reads the message as sending it would, each distinct ref once', async () => {
		const project = await tempProject({'a.md': 'x', '.env': 'K=1'});
		const {segments, refs} = await forecast(project, 'see @a.md and @./a.md, not someone@example.com; @.env');
		expect(segments).toEqual([
			{type: 'text', text: 'see '},
			{type: 'file_ref', path: 'a.md'},
			{type: 'text', text: ' and '},
			{type: 'file_ref', path: './a.md'},
			{type: 'text', text: ', not someone@example.com; '},
			{type: 'file_ref', path: '.env'},
		]);
		expect(refs.map(({ref, ok}) => [ref.path, ok])).toEqual([
			['a.md', true],
			['.env', false],
		]);
		expect(refs[1]).toMatchObject({reason: 'denied', real: project.path('.env')});
		const confirmed = segments.map(segment =>
			segment.type === 'file_ref' && segment.path === '.env'
				? {...segment, confirmed: project.path('.env')}
				: segment,
		);
		expect((await forecast(project, confirmed)).refs.map(({ok}) => ok)).toEqual([true, true]);
	});

	it('counts the words, the pastes and the attachments', async () => {
		const project = await tempProject({'a.md': 'word '.repeat(1000)});
		const paste = {type: 'paste', id: '1', chars: 9000, lines: 1, content: '日本語'.repeat(3000)} as const;
		const {tokens, refs} = await forecast(project, [{type: 'text', text: 'see @a.md'}, paste]);
		const [file] = refs;
		expect(tokens).toBe(
			estimateTokens('see ') +
				estimateTokens('@a.md') +
				estimateTokens(paste.content) +
				(file?.ok === true ? file.tokens : 0),
		);
	});

	it('counts a paste of ten megabytes once, and lets other tasks run', async () => {
		const project = await tempProject();
		const paste = {
			type: 'paste',
			id: '1',
			chars: 0,
			lines: 0,
			content: 'words 日本 in a paste\n'.repeat(500_000),
		} as const;
		let turns = 0;
		const watch = setInterval(() => turns++, 0);
		const {tokens} = await forecast(project, [paste]);
		const before = turns;
		expect(tokens).toBeGreaterThan(1_000_000);
		expect((await forecast(project, [paste, {type: 'text', text: '!'}])).tokens).toBe(tokens + 1);
		clearInterval(watch);
		expect(before).toBeGreaterThan(3);
		const typed = new AbortController();
		setImmediate(() => typed.abort('typed on'));
		await expect(forecast(project, [{...paste}], {signal: typed.signal})).rejects.toBe('typed on');
	});

	it('reports an unknown workflow', async () => {
		const project = await tempProject();
		const workflows = {
			slugs: async () => anywhere('review'),
			invoke: async () =>
				({ok: true, drafts: [{type: 'message', role: 'system', text: 'x '.repeat(400)}]}) as const,
		};
		expect((await forecast(project, '/reveiw this', {workflows})).rejection).toBe(
			'Unknown command /reveiw; did you mean /review?',
		);
		const {rejection, tokens} = await forecast(project, '/review this', {workflows});
		expect([rejection, tokens > 300]).toEqual([undefined, true]);
	});

	it('leaves no trace', async () => {
		const project = await tempProject({'a.md': 'x'});
		await forecast(project, 'see @a.md and @gone.md');
		expect(await readdir(project.dir)).toEqual(['a.md']);
	});
});

describe('an aborted preflight', () => {
	it('is rejected with the reason before it begins', async () => {
		const project = await tempProject({'a.md': 'x'});
		await expect(forecast(project, '@a.md', {signal: AbortSignal.abort('typed on')})).rejects.toBe('typed on');
	});

	it.runIf(process.platform === 'linux')('stops reading a large file and closes it', async () => {
		const project = await tempProject({'text.log': Buffer.alloc(100_000_000, 'x\n')});
		const typed = new AbortController();
		const asked = forecast(project, '@text.log', {signal: typed.signal});
		asked.catch(() => {});
		while (!(await isOpen(project.path('text.log')))) await new Promise(resolve => setImmediate(resolve));
		typed.abort('typed on');
		await expect(asked).rejects.toBe('typed on');
		expect(await isOpen(project.path('text.log'))).toBe(false);
	});

	it('stops looking up names', async () => {
		const project = await tempProject();
		const typed = new AbortController();
		const workflows = {
			async slugs() {
				setImmediate(() => typed.abort('typed on'));
				return anywhere();
			},
			invoke: async () => ({ok: false, sentence: ''}) as const,
		};
		await expect(
			forecast(project, Array.from({length: 500}, (_, index) => `@name${index}`).join(' '), {
				signal: typed.signal,
				workflows,
			}),
		).rejects.toBe('typed on');
	});

	it('caches nothing', async () => {
		const project = await tempProject({'a.md': Buffer.alloc(2_000_000, 'x')});
		await settle(project.path('a.md'));
		const cache = createRefsCache();
		const typed = new AbortController();
		setImmediate(() => typed.abort('typed on'));
		await forecast(project, '@a.md', {cache, signal: typed.signal}).catch(() => {});
		expect((await forecast(project, '@a.md', {cache})).refs).toMatchObject([
			{ok: true, truncated: true, totalBytes: 2_000_000},
		]);
	});
});

describe('a file in the cache', () => {
	it('is not read again while it is unchanged, whatever is typed around it', async () => {
		const project = await tempProject({'big.log': Buffer.alloc(40_000_000, 'x\n')});
		await settle(project.path('big.log'));
		const cache = createRefsCache();
		const first = await forecast(project, 'see @big.log', {cache});
		const started = cpuTime();
		for (const text of ['now', 'now see', 'now see that'])
			expect((await forecast(project, `see @big.log ${text}`, {cache})).refs).toEqual(first.refs);
		expect((await forecast(project, 'see @big.log', {cache})).refs[0]).toBeDefined();
		const again = cpuTime() - started;
		const restarted = cpuTime();
		await forecast(project, 'see @big.log', {cache: createRefsCache()});
		expect(again / 4).toBeLessThan(cpuTime() - restarted);
	});

	it('is read again when it was changed, moved or deleted', async () => {
		const project = await tempProject({'a.md': 'one\n', 'b.md': 'other\nlines\n', 'link.md/../x': ''});
		await project.link('l.md', 'a.md');
		await settle(project.path('a.md'), project.path('b.md'));
		const cache = createRefsCache();
		const bytes = async () =>
			(await forecast(project, '@a.md @l.md', {cache})).refs.map(ref => (ref.ok ? ref.bytes : ref.reason));
		expect(await bytes()).toEqual([4, 4]);
		expect(await bytes()).toEqual([4, 4]);
		await project.write('a.md', 'six\n\0');
		expect(await bytes()).toEqual(['binary', 'binary']);
		await project.write('a.md', 'four\n');
		expect(await bytes()).toEqual([5, 5]);
		await promisify(execFile)('ln', ['-sf', 'b.md', project.path('l.md')]);
		expect(await bytes()).toEqual([5, 12]);
		await promisify(execFile)('rm', [project.path('a.md')]);
		expect(await bytes()).toEqual(['not_found', 12]);
	});

	it('is read again for another range, limit or confirmation', async () => {
		const project = await tempProject({'.env': 'A=1\nB=2\n'});
		await settle(project.path('.env'));
		const cache = createRefsCache();
		const ref = {type: 'file_ref', path: '.env'} as const;
		const confirmed = project.path('.env');
		expect((await forecast(project, [ref], {cache})).refs).toMatchObject([{ok: false, reason: 'denied'}]);
		expect((await forecast(project, [{...ref, confirmed}], {cache})).refs).toMatchObject([{ok: true, bytes: 8}]);
		expect((await forecast(project, [{...ref, confirmed, range: {first: 2}}], {cache})).refs).toMatchObject([
			{ok: true, bytes: 3},
		]);
		expect(
			(await forecast(project, [{...ref, confirmed}], {cache, limits: {...defaultLimits.fileRefs, maxBytes: 4}}))
				.refs,
		).toMatchObject([{ok: true, bytes: 3, truncated: true}]);
		expect((await forecast(project, [ref], {cache})).refs).toMatchObject([{ok: false, reason: 'denied'}]);
	});
});
