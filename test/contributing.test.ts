import {execFile, execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {cp, mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {projectRoot} from './helpers/built.ts';
import {provider, subcommand} from './helpers/recipes/program.ts';
import {setting, tool} from './helpers/recipes/pod.ts';
import {applied, lostImports, problemsOf} from './helpers/recipes/recipe.ts';
import {block, command, origin} from './helpers/recipes/screen.ts';

/** Somebody follows “How to add something” in CONTRIBUTING.md, and adds a dummy of each kind. */
const recipes = [origin, block, command, subcommand, setting, tool, provider];
const page = readFileSync(path.join(projectRoot, 'CONTRIBUTING.md'), 'utf8');

describe('the recipes of CONTRIBUTING.md', () => {
	it.each(recipes)('name and count the files that change, and import only files that exist: $title', recipe => {
		expect(problemsOf(page, recipe)).toEqual([]);
		const read = readIn(projectRoot);
		expect(lostImports(applied(recipe, read), read)).toEqual([]);
	});

	it('are wrong if they miss a step, name a needless one, or count wrongly', () => {
		const step = /^2\. `src\/cli\/subcommands\/list.ts`.*\n/m;
		expect(problemsOf(page.replace(step, ''), subcommand)).toEqual([
			'“A subcommand” does not name src/cli/subcommands/list.ts',
			'“A subcommand” counts 2 files, and its steps change 1',
		]);
		const {'src/pod/tools/tools.ts': _, ...changes} = tool.changes;
		expect(problemsOf(page, {...tool, changes})).toEqual([
			'“A tool” does not need src/pod/tools/tools.ts',
			'“A tool” counts 3 files, and its steps change 2',
		]);
		expect(problemsOf(page.replace('**A setting** (1 file', '**A setting** (2 files'), setting)).toEqual([
			'“A setting” counts 2 files, and its steps change 1',
		]);
		expect(problemsOf(page, {...tool, title: 'A dummy'})).toEqual(['the page has no “A dummy”']);
	});
});

/** It takes minutes, so only `npm run test:long` follows the recipes to their end. */
describe.runIf(process.env['INKPOD_TEST'] === 'long')('a copy with a dummy of each kind', () => {
	let copy: string;
	let changed: readonly string[];
	beforeAll(async () => {
		copy = await copyOfProject();
		changed = await followAll(copy);
	});
	afterAll(async () => {
		await rm(copy, {recursive: true, force: true});
	});

	it('passes the types', async () => {
		expect(await run(copy, 'typescript/bin/tsc', ['--noEmit'])).toBe('passed');
	});

	it('passes the lint after it is formatted', async () => {
		const code = changed.filter(file => file.endsWith('.ts'));
		expect(await run(copy, 'oxfmt/bin/oxfmt', code)).toBe('passed');
		expect(await run(copy, 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', ...code])).toBe('passed');
	});

	it('passes the tests that the page names, after these have written their files', async () => {
		const vitest = 'vitest/vitest.mjs';
		const writers = ['test/fixtures', 'test/pod/config/settings/all-settings.test.ts'];
		for (const file of writers) {
			expect(page.replaceAll(/\s+/g, ' ')).toContain(`npx vitest run ${file} --update=all`);
			expect(await run(copy, vitest, ['run', file, '--update=all'])).toBe('passed');
		}
		const help = 'test/terminal/docs.examples.test.ts';
		const only = ['-t', 'print the help that the page shows'];
		expect(page).toContain(`INKPOD_UPDATE=docs npx vitest run ${help}`);
		expect(await run(copy, vitest, ['run', help, ...only], {INKPOD_UPDATE: 'docs'})).toBe('passed');
		expect(readIn(copy)('docs/command-line.md')).toContain('inkpod dummy');
		const tests = [...new Set(recipes.flatMap(recipe => recipe.tests))];
		expect(await run(copy, vitest, ['run', ...tests])).toBe('passed');
	});
});

function readIn(root: string): (file: string) => string | undefined {
	return file => {
		const place = path.join(root, file);
		return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
	};
}

/** Copies what git knows or would add. The packages are a link. */
async function copyOfProject(): Promise<string> {
	const target = await mkdtemp(path.join(tmpdir(), 'inkpod-contributing-'));
	const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const files = execFileSync('git', listing, {cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 26}).split('\0');
	for (const file of files.filter(each => each !== '' && existsSync(path.join(projectRoot, each))))
		await cp(path.join(projectRoot, file), path.join(target, file));
	await symlink(path.join(projectRoot, 'node_modules'), path.join(target, 'node_modules'));
	// A test of the docs lists the files that git knows.
	for (const args of [
		['init', '--quiet'],
		['add', '--all'],
	])
		execFileSync('git', args, {cwd: target});
	return target;
}

/** Follows all recipes one after another, and returns the changed files. */
async function followAll(root: string): Promise<readonly string[]> {
	const all = new Set<string>();
	for (const recipe of recipes) {
		for (const [file, text] of applied(recipe, readIn(root))) {
			await mkdir(path.dirname(path.join(root, file)), {recursive: true});
			await writeFile(path.join(root, file), text);
			all.add(file);
		}
	}
	return [...all];
}

/** Runs a program of the packages. Resolves with its output if it fails. */
async function run(
	cwd: string,
	program: string,
	args: readonly string[],
	more: Readonly<Record<string, string>> = {},
): Promise<string> {
	// The settings of this run of the tests are not those of another one.
	const names = Object.keys(process.env).filter(name => !/^(?:VITEST|INKPOD_TEST|FORCE_COLOR|NODE_ENV)/.test(name));
	const env = {...Object.fromEntries(names.map(name => [name, process.env[name]])), ...more};
	const file = path.join(cwd, 'node_modules', program);
	try {
		await promisify(execFile)(process.execPath, [file, ...args], {cwd, env, maxBuffer: 2 ** 26});
		return 'passed';
	} catch (error) {
		if (!(error instanceof Error && 'stdout' in error)) throw error;
		return String(error.stdout);
	}
}
