// Checks a change before a commit, faster than npm test: the format and the lint of the changed files, the types of all
// files, and the tests nearest to the change. By default it compares with the commit at which the branch left main.
// `npm run check -- BASE` compares with another commit. `npm test` checks everything.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {relatedTests} from './related-tests.mjs';
import {runStep} from './run-step.mjs';

const root = path.join(import.meta.dirname, '..');
/** More tests would take too long before each commit. */
const maxTests = 24;

const changed = changedFiles(process.argv[2] ?? branchPoint());
const code = changed.filter(file => /^(?:src|test|bench|scripts)\/.+\.(?:ts|tsx|mjs)$/u.test(file));
const {quick, slow} = relatedTests(readTexts(), changed);
const tests = quick.slice(0, maxTests);

if (changed.length === 0) {
	process.stdout.write('check: nothing has changed\n');
} else {
	// The check of types uses one core, and the checks of format and lint use the other. The tests use both.
	const passed = await Promise.all([runStep('types', 'npm', ['run', '--silent', 'types']), checkText()]);
	if (tests.length > 0) passed.push(await runStep('tests', 'vitest', ['run', '--reporter=dot', ...tests]));
	report();
	// The names of the tests above may hide a failed step, so it is repeated here.
	process.stdout.write(passed.every(Boolean) ? 'check: passed\n' : 'check: FAILED, see above\n');
	process.exitCode = passed.every(Boolean) ? 0 : 1;
}

async function checkText() {
	if (code.length === 0) return true;
	const isFormatted = await runStep('format', 'oxfmt', ['--check', ...code]);
	return (await runStep('lint', 'oxlint', ['--type-aware', '--deny-warnings', ...code])) && isFormatted;
}

function report() {
	const rest = quick.length - tests.length;
	if (rest > 0) process.stdout.write(`check: ${rest} more tests import the changed files from further away\n`);
	if (slow.length > 0) process.stdout.write(`check: only npm test runs these:\n${slow.map(indented).join('')}`);
}

function indented(file) {
	return `  ${file}\n`;
}

function branchPoint() {
	try {
		return git('merge-base', 'HEAD', 'main')[0];
	} catch {
		return 'HEAD'; // A clone may have no branch main.
	}
}

function changedFiles(base) {
	const files = [
		...git('diff', '--name-only', '-z', base),
		...git('ls-files', '-z', '--others', '--exclude-standard'),
	];
	return [...new Set(files)].filter(file => existsSync(path.join(root, file)));
}

function readTexts() {
	const files = git(
		'ls-files',
		'-z',
		'--cached',
		'--others',
		'--exclude-standard',
		'src',
		'test',
		'bench',
		'scripts',
	);
	const sources = files.filter(file => /\.(?:ts|tsx|mjs)$/u.test(file) && existsSync(path.join(root, file)));
	return new Map(sources.map(file => [file, readFileSync(path.join(root, file), 'utf8')]));
}

function git(...args) {
	const output = execFileSync('git', args, {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
	return output.split(/[\0\n]/u).filter(line => line !== '');
}
