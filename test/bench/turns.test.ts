import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, it} from 'vitest';
import {projectRoot} from '../helpers/built.ts';

it('the longest turn of the event loop is measured, but not in processes that the program starts', () => {
	const root = mkdtempSync(path.join(os.tmpdir(), 'inkpod-bench-turns-'));
	const file = path.join(root, 'turns.json');
	const program = [
		'const until = performance.now() + 200;',
		'while (performance.now() < until);',
		"if (process.env.BENCH_TURNS !== undefined) throw new Error('a child would write the file, too');",
		'setTimeout(() => {}, 1000);',
	];
	const module = pathToFileURL(path.join(projectRoot, 'bench/turns.mjs')).href;
	execFileSync(process.execPath, ['--import', module, '-e', program.join('\n')], {
		env: {...process.env, BENCH_TURNS: file},
	});
	const {longest} = JSON.parse(readFileSync(file, 'utf8')) as {longest: number};
	rmSync(root, {recursive: true, force: true});
	expect(longest).toBeGreaterThan(190);
});
