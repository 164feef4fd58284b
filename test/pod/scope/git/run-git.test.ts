import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {runGit} from '../../../../src/pod/scope/git/run-git.ts';

it.each(['objects/info/alternates', 'refs/heads/main'])('ends at a limit of memory where %s has no end', async name => {
	const cwd = mkdtempSync(join(tmpdir(), 'inkpod-git-memory-'));
	onTestFinished(() => rmSync(cwd, {recursive: true}));
	execFileSync('git', ['init', '-q', '-b', 'main'], {cwd});
	symlinkSync('/dev/zero', join(cwd, '.git', name));
	const env = {PATH: process.env['PATH'], HOME: cwd, LC_ALL: 'C'};
	const args = name.startsWith('refs') ? ['rev-parse', 'HEAD'] : ['cat-file', '-e', '0'.repeat(39) + '1'];
	const run = await runGit('git', args, {cwd, env, maxBytes: 1000, maxData: 64 * 1024});
	expect(run).toMatchObject({type: 'failed', complaint: expect.stringContaining('ut of memory') as unknown});
});
