import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runProgram} from '../../helpers/program.ts';
import {tempProject} from '../../helpers/temp-project.ts';

/** A folder has the name that Node makes of the wrong bytes. */
async function similar() {
	const {dir} = await tempProject({});
	await mkdir(join(dir, 'pr\ufffdoj'));
	return dir;
}

const inBytes = (line: string) => ['sh', '-c', `bad=$(printf 'pr\\377oj'); ${line}`];

describe.runIf(process.platform === 'linux')('bytes that are not UTF-8', () => {
	it('are refused in an argument, because another folder has the name that Node makes of them', async () => {
		const cwd = await similar();
		const command = inBytes('exec "$0" "$@" --cwd "$bad"');
		const {code, stderr} = await runProgram({cwd, command, args: ['sessions']});
		expect([code, stderr]).toEqual([2, expect.stringContaining('is not valid UTF-8')]);
	});

	it('are refused after another argument that has a U+FFFD of its own', async () => {
		const cwd = await similar();
		const command = inBytes('exec "$0" "$@" --cwd "$bad"');
		const {code, stderr} = await runProgram({cwd, command, args: ['sessions', '--model', '\ufffd']});
		expect([code, stderr]).toEqual([2, expect.stringContaining('is not valid UTF-8')]);
	});

	it.each(['HOME', 'INKPOD_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'])('are refused in %s', async name => {
		const cwd = await similar();
		const command = inBytes(`export ${name}="$PWD/$bad"; exec "$0" "$@"`);
		const {code, stderr} = await runProgram({cwd, command, args: ['sessions']});
		expect([code, stderr]).toEqual([2, expect.stringContaining(`The variable ${name} is not valid UTF-8`)]);
	});

	it('are refused in a file name on stdin, but not in other text', async () => {
		const cwd = await similar();
		const input = (text: string) => inBytes(`printf '${text}' | "$0" "$@"`);
		const args = ['-p', '--model', 'offline'];
		const named = await runProgram({cwd, command: input('see @pr\\377oj/a.md'), args});
		const other = await runProgram({cwd, command: input('caf\\377'), args});
		expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('A file name on stdin')]);
		expect(other.stderr).not.toContain('UTF-8');
	});

	it('are refused behind a link', async () => {
		const cwd = await similar();
		const command = inBytes('mkdir "$bad"; ln -s "$bad" link; exec "$0" "$@" --cwd link');
		const {code, stderr} = await runProgram({cwd, command, args: ['-p', 'hello']});
		expect([code, stderr]).toEqual([2, expect.stringContaining('link')]);
	});

	it('are no reason to refuse a U+FFFD that was typed, or another variable', async () => {
		const cwd = await similar();
		const typed = await runProgram({cwd, args: ['sessions', '--cwd', 'pr\ufffdoj']});
		const other = await runProgram({
			cwd,
			command: inBytes('export OTHER="$bad"; exec "$0" "$@"'),
			args: ['sessions'],
		});
		expect([typed.code, other.code]).toEqual([0, 0]);
	});
});
