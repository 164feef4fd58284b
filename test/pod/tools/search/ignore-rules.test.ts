import {execFileSync} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {compileIgnore, ignoreRules} from '../../../../src/pod/tools/search/ignore-rules.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('the patterns of a .gitignore', () => {
	it.each([
		['three **', '**/a/**/b/**\n', ['a/b/c', 'x/a/y/b/z', 'a/b', 'b/a']],
		['** in the middle', 'a/**/b/**/c/**/d\n', ['a/b/c/d', 'a/x/b/y/c/z/d', 'a/b/d', 'x/a/b/c/d']],
		['one for directories', '/**/x/**/y/**/z/\n', ['x/y/z', 'x/y/z/f', 'a/x/b/y/c/z/f', 'x/z/y']],
		['a negated one', '*.log\n!**/keep/**/this/**/x.log\n', ['a.log', 'keep/this/x.log', 'q/keep/w/this/e/x.log']],
		['a negated one that applies again', '!**/a/**/b/**/c\n*c\n', ['a/b/c', 'cc', 'd']],
		['braces are plain characters', '**/{a,b}/**/c/**/d\n', ['{a,b}/c/d', 'a/c/d', 'b/x/c/d']],
		['stars within names', '**/a**b/**/*c\n', ['axb/c', 'q/aab/w/cc', 'ab/x', 'a/b/c']],
		['a class', '**/[a-c]/**/[!d]/**/e\n', ['a/x/e', 'b/d/e', 'z/x/e']],
	])('match as in git: %s', async (_, text, paths) => {
		const project = await tempProject({'.gitignore': text});
		execFileSync('git', ['init', '-q'], {cwd: project.dir});
		for (const path of paths) {
			await mkdir(dirname(project.path(path)), {recursive: true}).catch(() => {});
			await writeFile(project.path(path), '').catch(() => {});
		}
		expect(paths.filter(path => isIgnored(project.dir, path))).toEqual(
			paths.filter(path => gitIgnores(project.dir, path)),
		);
	});

	it.each([
		['many **', `${'**/a/'.repeat(100)}b\n`, `${'a/'.repeat(1000)}c`],
		['many separate **', `a${'/**'.repeat(300)}/b\n`, `${'a/'.repeat(1000)}c`],
		['many stars', `${'*a'.repeat(400)}b\n`, `${'a'.repeat(250)}bc`],
		['stars and marks', `${'*?'.repeat(400)}b\n`, `${'a'.repeat(250)}bc`],
		['stars and classes', `${'*[ab]'.repeat(150)}c\n`, `${'ab'.repeat(120)}d`],
		['open classes', `${'[:a'.repeat(20_000)}\n`, 'a'],
		['one line of 60 KB', `${'?'.repeat(60_000)}\n`, 'a'],
		['one line of slashes', `${'/'.repeat(60_000)}\n`, 'a'],
		['30,000 patterns', 'a*\n'.repeat(20_000), 'b'],
	])('are matched quickly: %s', (_, text, path) => {
		const since = cpuTime();
		expect(compileIgnore(text).verdict(path)).toBeUndefined();
		expect(cpuTime() - since).toBeLessThan(10_000);
	});
});

function isIgnored(root: string, path: string): boolean {
	const rules = ignoreRules(root, root);
	const folders = path
		.split('/')
		.slice(0, -1)
		.map((_, index, all) => `${root}/${all.slice(0, index + 1).join('/')}`);
	return folders.some(folder => rules.skipsDirectory(folder)) || rules.skipsFile(`${root}/${path}`);
}

function gitIgnores(root: string, path: string): boolean {
	try {
		execFileSync('git', ['check-ignore', '-q', path], {cwd: root});
		return true;
	} catch {
		return false;
	}
}
