import {appendFile, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {flatten, type FoundPrompts, type PromptQuery, type Segment} from '../../../../src/pod/protocol.ts';
import {createPromptWriter} from '../../../../src/pod/disk/prompt-history/prompt-files.ts';
import {createPromptSearch, type PromptSearch} from '../../../../src/pod/disk/prompt-history/prompt-search.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

type Row = readonly [session: string, text: string | readonly Segment[], project?: string];

/** Stores prompts, one a second, and returns the search of session S in project `here`. */
async function promptSearchIn(
	rows: readonly Row[],
): Promise<{readonly searchPrompts: PromptSearch; readonly root: string}> {
	const {dir: root} = await tempProject();
	const writer = createPromptWriter();
	for (const [index, [session, written, project = 'here']] of rows.entries()) {
		await mkdir(join(root, project), {recursive: true});
		const segments = typeof written === 'string' ? [{type: 'text', text: written} as const] : written;
		await writer.add(join(root, project), {at: new Date(index * 1000).toISOString(), session, segments});
	}
	return {searchPrompts: createPromptSearch(() => ({project: join(root, 'here'), session: 'S'})), root};
}

const query = (text = '', scope: PromptQuery['scope'] = 'project', limit = 10): PromptQuery => ({text, scope, limit});
const texts = ({prompts}: FoundPrompts) => prompts.map(({segments}) => flatten(segments));

describe('the search in earlier prompts', () => {
	it('returns the prompts of the project, the newest first, and equal ones once', async () => {
		const {searchPrompts} = await promptSearchIn([
			['A', 'one'],
			['S', 'two'],
			['B', 'one'],
			['B', 'away', 'there'],
		]);
		expect(texts(await searchPrompts(query()))).toEqual(['one', 'two']);
		expect(texts(await searchPrompts(query('', 'others')))).toEqual(['one']);
		expect(await searchPrompts(query('', 'project', 1))).toMatchObject({total: 2, prompts: [{}]});
	});

	it('returns prompts of other projects only when asked, with the names of their projects', async () => {
		const {searchPrompts} = await promptSearchIn([
			['A', 'one'],
			['B', 'two', 'home-me-there-0123456789ab'],
		]);
		expect(texts(await searchPrompts(query()))).toEqual(['one']);
		const everywhere = await searchPrompts(query('', 'everywhere'));
		expect(everywhere.prompts.map(({project}) => project)).toEqual(['home-me-there', 'here']);
	});

	it('finds all words in any order, without case, in either Unicode normalization', async () => {
		const {searchPrompts} = await promptSearchIn([
			['A', 'Fix the Login page'],
			['A', 'login as caf\u00e9'],
			['A', '日本語の説明'],
		]);
		expect(texts(await searchPrompts(query('page FIX')))).toEqual(['Fix the Login page']);
		expect(texts(await searchPrompts(query('cafe\u0301')))).toEqual(['login as caf\u00e9']);
		expect(texts(await searchPrompts(query('説明')))).toEqual(['日本語の説明']);
		expect(texts(await searchPrompts(query('absent')))).toEqual([]);
	});

	it('returns pastes and chips as segments, and finds what is in them', async () => {
		const segments: Segment[] = [
			{type: 'text', text: 'see '},
			{type: 'paste', id: '1', chars: 6, lines: 2, content: 'needle\n@a'},
			{type: 'file_ref', path: 'a b.md', range: {first: 1}},
		];
		const {searchPrompts} = await promptSearchIn([['A', segments]]);
		expect((await searchPrompts(query('needle'))).prompts[0]?.segments).toEqual(segments);
	});

	it('sees prompts that were added since', async () => {
		const {searchPrompts, root} = await promptSearchIn([['A', 'one']]);
		expect(texts(await searchPrompts(query()))).toEqual(['one']);
		const line = {at: new Date().toISOString(), session: 'B', segments: [{type: 'text', text: 'two'}]};
		await appendFile(join(root, 'here', 'prompts-1.jsonl'), `${JSON.stringify(line)}\n`);
		expect(texts(await searchPrompts(query()))).toEqual(['two', 'one']);
	});

	it('bounds the size of an answer', async () => {
		const {searchPrompts} = await promptSearchIn(
			Array.from({length: 40}, (_, index) => ['A', `${index} ${'x'.repeat(60_000)}`] as const),
		);
		const found = await searchPrompts(query('', 'project', 1000));
		expect(found.total).toBe(40);
		expect(found.prompts.length).toBeLessThan(20);
	});

	it('stops when it is aborted', async () => {
		const {searchPrompts} = await promptSearchIn([['A', 'one']]);
		await expect(searchPrompts(query(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
	});

	it('finds nothing without files', async () => {
		const {searchPrompts} = await promptSearchIn([]);
		expect(await searchPrompts(query())).toMatchObject({prompts: [], total: 0});
	});
});
