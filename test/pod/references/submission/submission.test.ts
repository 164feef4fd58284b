import {createHash} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {narrowOrigin} from '../../../../src/pod/protocol.ts';
import {parseItem} from '../../../../src/worker/index.ts';
import {noWorkflows} from '../../../../src/pod/references/submission/workflow.ts';
import {anywhere} from '../../../helpers/slugs.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {accepted, submit} from './submit.ts';

describe('a submission', () => {
	it('contains the user item and the file item for a text with one file', async () => {
		const project = await tempProject({'src/a.ts': 'one\ntwo\n'});
		const {user, attachments, alerts} = await accepted(project, 'explain @src/a.ts please');
		expect(user).toEqual({
			id: 'id001',
			at: '1970-01-01T00:00:00.000Z',
			type: 'message',
			role: 'user',
			text: 'explain @src/a.ts please',
			origin: {
				kind: 'submit',
				segments: [
					{type: 'text', text: 'explain '},
					{type: 'file_ref', path: 'src/a.ts', outcome: {item: 'id002'}},
					{type: 'text', text: ' please'},
				],
			},
		});
		expect(attachments).toEqual([
			{
				id: 'id002',
				at: '1970-01-01T00:00:00.000Z',
				type: 'message',
				role: 'system',
				text: '[File: src/a.ts]\none\ntwo\n',
				origin: {
					kind: 'file',
					path: 'src/a.ts',
					bytes: 8,
					totalBytes: 8,
					lines: 2,
					truncated: false,
					sha256: createHash('sha256').update('one\ntwo\n').digest('hex'),
					mtimeMs: (await stat(project.path('src/a.ts'))).mtimeMs,
				},
			},
		]);
		expect(alerts).toEqual([]);
		for (const item of [user, ...attachments]) {
			expect(parseItem(JSON.parse(JSON.stringify(item)))).toEqual(item);
			expect(narrowOrigin(item.origin)).toEqual(item.origin);
		}
	});

	it('contains files and workflows in commit order, with the text after each workflow as its argument', async () => {
		const project = await tempProject({'a.md': 'A', 'b.md': 'B'});
		const calls: string[][] = [];
		const workflows = {
			slugs: async () => anywhere('review', 'ship'),
			async invoke(slug: string, args: string) {
				calls.push([slug, args]);
				return {
					ok: true,
					drafts: ['knowledge', 'workflow'].map(
						kind =>
							({type: 'message', role: 'system', text: `${kind} ${slug}`, origin: {kind, slug}}) as const,
					),
				} as const;
			},
		};
		const {user, attachments} = await accepted(project, '/review @b.md now /ship it\nand @a.md /review again', {
			workflows,
		});
		expect(calls).toEqual([
			['review', '@b.md now'],
			['ship', 'it'],
		]);
		expect(attachments.map(item => item.text)).toEqual([
			'[File: b.md]\nB',
			'[File: a.md]\nA',
			'knowledge review',
			'workflow review',
			'knowledge ship',
			'workflow ship',
		]);
		const ids = [user, ...attachments].map(item => item.id);
		expect(ids).toEqual(ids.toSorted());
		expect(user.text).toBe('/review @b.md now /ship it\nand @a.md /review again');
	});

	it('looks for workflows only if the draft may invoke one', async () => {
		const project = await tempProject({'a.md': 'A'});
		let looks = 0;
		const workflows = {
			...noWorkflows,
			async slugs() {
				looks++;
				return anywhere('review');
			},
		};
		await accepted(project, 'Explain @a.md', {workflows});
		expect(looks).toBe(0);
		await accepted(project, 'Explain and/or @a.md', {workflows});
		expect(looks).toBe(1);
	});

	it('reports the progress of each ref', async () => {
		const project = await tempProject({'a.md': 'x'});
		const heard: string[] = [];
		await accepted(project, '@a.md @./gone', {
			progress: (key, state) => heard.push(`${key.slice(project.dir.length + 1).replace('\0', '')} ${state}`),
		});
		expect(heard).toEqual(['a.md reading', 'gone reading', 'a.md read', 'gone not_found']);
	});

	it('has one alert when a message has too many names to look up', async () => {
		const project = await tempProject();
		const {alerts} = await accepted(project, Array.from({length: 600}, (_, index) => `@name${index}`).join(' '));
		expect(alerts).toEqual([
			{
				level: 'warn',
				text: 'The message contains too many paths to look up; the rest of it was sent as plain text.',
			},
		]);
	});
});

describe('a built-in workflow', () => {
	const workflows = {
		slugs: async () => new Map([['init', 'start' as const]]),
		invoke: async () => ({ok: true, drafts: []}) as const,
	};
	it.each<[string, string, string, readonly string[]]>([
		['is invoked at the start of a message', '/init now', '/init now', ['workflow', 'text']],
		['is text elsewhere', 'Why does GET /init fail?', 'Why does GET /init fail?', ['text']],
	])('%s', async (_, said, text, types) => {
		const project = await tempProject();
		const made = await submit(project, said, {workflows});
		expect(made).toMatchObject({ok: true, user: {text}});
		expect(made.ok && made.user.origin?.['segments']).toMatchObject(types.map(type => ({type})));
	});
});

describe('a rejection', () => {
	it('reports an unknown workflow at the start of a message', async () => {
		const project = await tempProject();
		const workflows = {
			slugs: async () => anywhere('review', 'release'),
			invoke: async () => ({ok: true, drafts: []}) as const,
		};
		expect(await submit(project, '/reveiw @a.md', {workflows})).toEqual({
			ok: false,
			code: 'workflow',
			sentence: 'Unknown command /reveiw; did you mean /review?',
		});
		expect(await submit(project, '/tmp is full')).toMatchObject({
			ok: false,
			code: 'workflow',
			sentence: 'Unknown command /tmp.',
		});
		expect(await submit(project, 'is /tmp full?')).toMatchObject({
			ok: true,
			user: {text: 'is /tmp full?', origin: {segments: [{type: 'text', text: 'is /tmp full?'}]}},
		});
	});

	it('reports the problem of a workflow before any file is read', async () => {
		const project = await tempProject({'a.md': 'x'});
		const states: string[] = [];
		const workflows = {
			slugs: async () => anywhere('review'),
			invoke: async () => ({ok: false, sentence: 'Workflow /review requires #style, which is missing.'}) as const,
		};
		const result = await submit(project, 'do /review @a.md', {
			workflows,
			progress: (_, state) => states.push(state),
		});
		expect(result).toEqual({
			ok: false,
			code: 'workflow',
			sentence: 'Workflow /review requires #style, which is missing.',
		});
		expect(states).toEqual([]);
	});

	it('contains the reason of a hook that cancels', async () => {
		const project = await tempProject({'a.md': 'x'});
		const seen: string[] = [];
		const result = await submit(project, 'see @a.md', {
			async hook({text}) {
				seen.push(text);
				return {type: 'cancel', reason: 'Not today.'};
			},
		});
		expect(result).toEqual({ok: false, code: 'hook', sentence: 'Not today.'});
		expect(seen).toEqual(['see @a.md']);
	});

	it('follows an abort before the hook, during the hook and during reading', async () => {
		const project = await tempProject({'a.md': Buffer.alloc(100_000_000, 'x')});
		expect(await submit(project, 'x', {signal: AbortSignal.abort()})).toMatchObject({ok: false, code: 'aborted'});
		const inHook = new AbortController();
		const hook = async () => {
			inHook.abort();
			return {type: 'continue'} as const;
		};
		expect(await submit(project, 'x', {signal: inHook.signal, hook})).toMatchObject({ok: false, code: 'aborted'});
		const inRead = new AbortController();
		expect(await submit(project, '@a.md', {signal: inRead.signal, progress: () => inRead.abort()})).toMatchObject({
			ok: false,
			code: 'aborted',
		});
	});

	it.each(['slugs', 'invoke'] as const)('follows an abort at once while %s does not answer', async silent => {
		const project = await tempProject();
		const abort = new AbortController();
		const forever = async (): Promise<never> => {
			setImmediate(() => abort.abort());
			return new Promise(() => {});
		};
		const workflows = {
			slugs: async () => anywhere('review'),
			invoke: forever,
			...(silent === 'slugs' && {slugs: forever}),
		};
		expect(await submit(project, '/review', {workflows, signal: abort.signal})).toMatchObject({
			ok: false,
			code: 'aborted',
		});
	});

	it('has the reason empty for white space only', async () => {
		const project = await tempProject({'a.md': ''});
		expect(await submit(project, ' \n ')).toMatchObject({ok: false, code: 'empty'});
		expect(await submit(project, [])).toMatchObject({ok: false, code: 'empty'});
		expect(await submit(project, '@a.md')).toMatchObject({ok: true});
	});
});
