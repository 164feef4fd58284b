import {describe, expect, it} from 'vitest';
import type {SessionChanges} from '../../../../src/pod/protocol.ts';
import {diffPage} from '../../../../src/screen/view/pages/diff-page.ts';
import {textRows} from '../../../../src/screen/view/pages/text-rows.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {fakeApp} from '../../../helpers/fake-app.ts';

async function shown(changes: SessionChanges): Promise<readonly string[]> {
	const {app, rows} = await fakeApp();
	app.dispatch({type: 'open page', page: diffPage(changes)});
	return rows(80, 40)
		.map(row => row.trimEnd())
		.filter(row => row !== '');
}

const diff = '--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-old\n+new \u001B[2J';

describe('the page of changes', () => {
	it('shows the changes by tools and then those of git, with line numbers, and makes them harmless', async () => {
		const page = await shown({
			files: [
				{path: 'a.ts', diff, remark: 'it was changed outside inkpod'},
				{path: 'b.bin', diff: ''},
			],
			moreFiles: 2,
			git: {kind: 'diff', text: `diff --git a/a.ts b/a.ts\n${diff}\n`, truncated: true},
		});
		expect(page).toEqual([
			'Changes · Esc close',
			'Changed by tools in this session',
			'a.ts · it was changed outside inkpod',
			'1 -old',
			'1 +new ␛[2J',
			'b.bin · not text, or too long to show',
			'2 more files not shown.',
			'Uncommitted changes (git diff HEAD)',
			'  diff --git a/a.ts b/a.ts',
			'  --- a.ts',
			'  +++ a.ts',
			'1 -old',
			'1 +new ␛[2J',
			'The rest is not shown: the diff is too long.',
		]);
	});

	it('shows untracked files after the uncommitted changes', async () => {
		const untracked = {
			files: [
				{path: 'new\u001B.txt', diff: '--- /dev/null\n+++ new.txt\n@@ -0,0 +1,1 @@\n+new'},
				{path: 'b.bin', diff: '', remark: 'binary'},
				{path: 'c.txt', diff: ''},
			],
			hasMore: true,
		};
		const page = await shown({files: [], moreFiles: 0, git: {kind: 'diff', text: '', truncated: false, untracked}});
		expect(page.slice(3)).toEqual([
			'Uncommitted changes (git diff HEAD)',
			'Files that git does not track:',
			'new␛.txt',
			'1 +new',
			'b.bin · binary',
			'c.txt · empty',
			'More files that git does not track are not shown.',
		]);
	});

	it.each<[SessionChanges['git'], string]>([
		[{kind: 'none'}, 'Not a git repository.'],
		[{kind: 'failed', sentence: 'git took too long.'}, 'git took too long.'],
		[{kind: 'diff', text: '', truncated: false}, 'No uncommitted changes below this directory.'],
	])('says what there is instead of a diff: %o', async (git, text) => {
		const page = (await shown({files: [], moreFiles: 0, git})).join('\n');
		expect(page).toContain(text);
		expect(page).toContain('No files changed by tools.');
	});

	it('is limited in lines, and in the length of a line', () => {
		const text = `@@ -0,0 +1,90000 @@\n+${'x'.repeat(90_000)}\n${'+x\n'.repeat(89_999)}`;
		const {lines} = diffPage({files: [], moreFiles: 0, git: {kind: 'diff', text, truncated: false}});
		expect(lines.length).toBeLessThan(10_100);
		const rows = textRows(lines, 120, false);
		expect(rows.length).toBeLessThan(10_100);
		const all = rows.slice(0, rows.length).map(textOf).join('');
		expect(all.length).toBeLessThan(4300 + 10_000 * 2);
		expect(lines.at(-1)?.spans[0]?.text).toBe('The rest is not shown: the diff is too long.');
	});
});
