import {execFileSync} from 'node:child_process';
import {chmod, copyFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {SearchEngine} from '../../../../src/pod/tools/search/grep-search.ts';
import {findRipgrep} from '../../../../src/pod/tools/search/find-ripgrep.ts';
import {ripgrepEngine} from '../../../../src/pod/tools/search/find-ripgrep.ts';
import {scopeOf, tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {grep} from './run-grep.ts';

describe('a search with a program in place of ripgrep', () => {
	/** Creates a program that matches three files and lists the output of `files`. */
	async function engineOf(
		project: TempProject,
		{
			files,
			matches = "printf 'config\\0001:needle\\nother\\0001:needle\\n'",
		}: {readonly files: string; readonly matches?: string},
	): Promise<SearchEngine> {
		const program = await project.write(
			'../tools/rg',
			`#!/bin/sh\ncase "$*" in *--files\\ *) ${files};; *) ${matches};; esac\n`,
		);
		await chmod(program, 0o755);
		return ripgrepEngine(program);
	}
	it('names no secrets after the place where the search stopped', async () => {
		const project = await tempProject();
		const listed = project.path('../listed');
		const engine = await engineOf(project, {
			files: `printf 'a.pem\\0b.txt\\0c.pem\\0'; touch ${listed}`,
			matches:
				`until [ -e ${listed} ]; do sleep 0.01; done; sleep 0.3; awk 'BEGIN {for (n = 1; n <= 30000; ` +
				`n++) printf "b.txt%c%d:x\\n", 0, n}'`,
		});
		expect((await grep(engine, project, {pattern: 'x', limit: 1})).content).toMatch(
			/^b\.txt:1:x\n[^]*look like secrets: a\.pem\]$/,
		);
	});
	it('leaves out a file that is secret only because of the working directory’s name', async () => {
		const project = await tempProject({'.kube/config': ''});
		const engine = await engineOf(project, {files: "printf 'config\\0other\\0'"});
		const output = await grep(engine, {scope: await scopeOf(project.path('.kube'))}, {pattern: 'needle'});
		expect(output.content).toBe('other:1:needle\n[left out, because they look like secrets: config]');
	});
	it('ends an endless list and reports it', async () => {
		const project = await tempProject();
		const engine = await engineOf(project, {files: "yes 'a.pem' | tr '\\n' '\\0'"});
		const {content} = await grep(engine, project, {pattern: 'needle'});
		expect(content).toContain('and 99995 more');
		expect(content).toContain('[only the names of the first 100000 files were checked for secrets]');
	});
	it('ends endless matches at the counting limit', async () => {
		const project = await tempProject();
		const engine = await engineOf(project, {
			files: "printf 'a.pem\\0'; sleep 0.2; yes 'z.pem' | tr '\\n' '\\0'",
			matches: "printf 'b.txt\\0001:x\\n'; yes \"$(printf '1:x')\" | sed 's/^/b.txt\\x0/'",
		});
		const {content, summary} = await grep(engine, project, {pattern: 'x', limit: 1});
		expect(summary).toMatch(/^1 of at least \d+ matches in 1 file \(1 secret-looking file left out\)$/);
		expect(content).toContain('look like secrets: a.pem]');
	});
});

describe('findRipgrep', () => {
	/** Resolves packages like an installation without the optional package. */
	const absent = (): never => {
		throw new Error('not found');
	};

	it('finds nothing in the project or by a relative entry of PATH', async () => {
		const project = await tempProject({'bin/rg': '#!/bin/sh\ntouch owned\n', '../tools/readme': ''});
		await chmod(project.path('bin/rg'), 0o755);
		await project.link('../tools/rg', project.path('bin/rg'));
		expect(
			findRipgrep(
				[project.path('bin'), project.path('../tools'), 'bin', '.', ''].join(':'),
				project.scope,
				absent,
			),
		).toBeUndefined();
		expect(findRipgrep(undefined, project.scope, absent)).toBeUndefined();
	});
	it('finds an executable in PATH by its real path, before the one of the package', async () => {
		const project = await tempProject({'../tools/readme': ''});
		await copyFile('/bin/sh', project.path('../tools/rg'));
		expect(findRipgrep(`/nonexistent:${project.path('../tools')}`, project.scope)).toMatch(/\/tools\/rg$/);
	});
	it('finds the program of the optional package when PATH has none', async () => {
		const project = await tempProject();
		const found = findRipgrep('/nonexistent', project.scope);
		expect(found).toMatch(/@vscode\/ripgrep-[\w-]+\/bin\/rg$/);
		expect(execFileSync(found!, ['--version'], {encoding: 'utf8'})).toMatch(/^ripgrep \d/);
	});
	it('does not use a package that is in the project or contains no program', async () => {
		const project = await tempProject({'node_modules/rg': '#!/bin/sh\ntouch owned\n', '../tools/rg': 'no program'});
		await chmod(project.path('node_modules/rg'), 0o755);
		await project.link('../tools/linked', project.path('node_modules/rg'));
		for (const path of ['node_modules/rg', '../tools/linked', '../tools/rg', 'missing'])
			expect(findRipgrep(undefined, project.scope, () => project.path(path))).toBeUndefined();
	});
});
