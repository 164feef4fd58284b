import {execFileSync} from 'node:child_process';
import {rm} from 'node:fs/promises';
import {describe, expect, onTestFinished, it} from 'vitest';
import {
	createCompletion,
	type Completion,
	type CompletionOptions,
} from '../../../../src/pod/references/completion/completion.ts';
import type {CompletionQuery, Completions} from '../../../../src/pod/protocol.ts';
import {scopeOf, tempProject} from '../../../helpers/temp-project.ts';
import {pathsOf} from './search-paths.ts';

function opened(options: CompletionOptions): Completion {
	const completion = createCompletion(options);
	onTestFinished(() => completion.close());
	return completion;
}

function path(text: string, limit = 20): CompletionQuery {
	return {kind: 'path', text, limit};
}

async function settled(completion: Completion, query: CompletionQuery): Promise<Completions> {
	for (;;) {
		const answer = await completion.complete(query);
		if (!answer.indexing) return answer;
	}
}

describe('path completion', () => {
	it('asks the worker thread and returns the query with the answer', async () => {
		const project = await tempProject({'src/main.ts': '', 'README.md': ''});
		const completion = opened({scope: () => project.scope});
		const query = path('main');
		const answer = await settled(completion, query);
		expect(answer).toEqual({
			query,
			matches: [{type: 'path', path: 'src/main.ts', directory: false, ignored: false, marks: [4, 5, 6, 7]}],
			indexing: false,
		});
		expect(answer.query).toBe(query);
	});

	it('asks the thread although the scope of a session has a function', async () => {
		const project = await tempProject({'src/main.ts': ''});
		const completion = opened({scope: () => ({...project.scope, copyOf: () => undefined})});
		expect((await settled(completion, path('main'))).matches).toHaveLength(1);
	});

	it('settles every query of many, and answers the latest in full', async () => {
		const project = await tempProject({'src/main.ts': ''});
		const completion = opened({scope: () => project.scope});
		await settled(completion, path(''));
		const queries = ['m', 'ma', 'mai', 'main', 'main.', 'main.t', 'main.ts'].map(text => path(text));
		const answers = await Promise.all(queries.map(async query => completion.complete(query)));
		expect(answers.map(answer => answer.query)).toEqual(queries);
		expect(answers.at(-1)!.matches).toHaveLength(1);
		for (const answer of answers.slice(1, -1)) expect(answer).toMatchObject({matches: [], indexing: true});
	});

	it('settles all queries after it is closed', async () => {
		const project = await tempProject({'src/main.ts': ''});
		const completion = opened({scope: () => project.scope});
		const under = ['a', 'b', 'c'].map(async text => completion.complete(path(text)));
		completion.close();
		completion.close();
		expect((await Promise.all(under)).map(({query, matches}) => [query.text, matches.length])).toEqual([
			['a', 0],
			['b', 0],
			['c', 0],
		]);
		expect(await completion.complete(path('d'))).toEqual({query: path('d'), matches: [], indexing: false});
	});

	it('uses the current scope', async () => {
		const project = await tempProject({'a.ts': ''});
		await project.write('../lib/tool.ts', '');
		let scope = project.scope;
		const completion = opened({scope: () => scope});
		expect((await settled(completion, path('../lib/'))).note).toMatch(/^Outside/u);
		scope = await scopeOf(project.dir, {readRoots: [project.path('../lib')]});
		expect(pathsOf(await settled(completion, path('../lib/')))).toEqual(['../lib/tool.ts']);
	});

	it('answers when the tree is deleted during the walk', async () => {
		const project = await tempProject(
			Object.fromEntries(Array.from({length: 400}, (_, index) => [`d${index}/f.ts`, ''])),
		);
		const completion = opened({scope: () => project.scope});
		const first = completion.complete(path('f'));
		await rm(project.dir, {recursive: true});
		await first;
		expect((await settled(completion, path('f'))).matches).toEqual([]);
	});

	it('does not keep the process alive', async () => {
		const project = await tempProject({'a.ts': ''});
		const source = new URL('../../../../src/pod/references/completion/completion.ts', import.meta.url).href;
		const program = `const {createCompletion} = await import(${JSON.stringify(source)});
			const completion = createCompletion({scope: () => (${JSON.stringify(project.scope)})});
			const keep = setInterval(() => {}, 1000);
			const {matches} = await completion.complete({kind: 'path', text: '', limit: 5});
			clearInterval(keep);
			console.log(matches.length);`;
		const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
			encoding: 'utf8',
			timeout: 60_000,
			env: {PATH: process.env['PATH']},
		});
		expect(out.trim()).toBe('1');
	});
});

describe('workflow completion', () => {
	const all = [
		{slug: 'review', description: 'Reviews a change'},
		{slug: 'release', description: 'Makes a release'},
		{slug: 'plan', description: ''},
	];

	it('has no matches when there are no workflows', async () => {
		const project = await tempProject();
		expect(await opened({scope: () => project.scope}).complete({kind: 'workflow', text: '', limit: 5})).toEqual({
			query: {kind: 'workflow', text: '', limit: 5},
			matches: [],
			indexing: false,
		});
	});

	it('returns the matching slugs with the matched letters', async () => {
		const project = await tempProject();
		const completion = opened({scope: () => project.scope, workflows: async () => all});
		const slugs = async (text: string, limit = 5) =>
			(await completion.complete({kind: 'workflow', text, limit})).matches.map(
				match => match.type === 'workflow' && [match.slug, match.marks],
			);
		expect(await slugs('')).toEqual([
			['review', []],
			['release', []],
			['plan', []],
		]);
		expect(await slugs('rev')).toEqual([['review', [0, 1, 2]]]);
		expect(await slugs('pln')).toEqual([['plan', [0, 1, 3]]]);
		expect(await slugs('re', 1)).toHaveLength(1);
		expect(await slugs('zz')).toEqual([]);
		expect(await slugs('reveiw')).toEqual([['review', []]]);
	});
});
