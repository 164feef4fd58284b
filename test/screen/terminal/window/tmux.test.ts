import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {codeBehindTmux, throughTmux} from '../../../../src/screen/terminal/window/tmux.ts';
import {programsIn} from '../../../helpers/programs.ts';

/** Asks a tmux that runs this script. */
async function asked(script: string, env: Readonly<Record<string, string>> = {TMUX_PANE: '%3'}) {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-tmux-'));
	onTestFinished(async () => rm(dir, {recursive: true}));
	await writeFile(join(dir, 'tmux'), `#!/bin/sh\n${script}\n`);
	await chmod(join(dir, 'tmux'), 0o755);
	const code = await codeBehindTmux(programsIn({PATH: dir, OUT: join(dir, 'out'), ...env}));
	return {code, args: await readFile(join(dir, 'out'), 'utf8').catch(() => undefined)};
}

const answers = (...facts: readonly string[]) => `printf '%s\\n' '${facts.join('\t')}'`;

describe('the terminal around tmux', () => {
	it.each([
		['on', 'xterm-256color', 'iTerm2 3.6.6', 'osc 9'],
		['all', 'xterm-kitty', 'kitty(0.42.1)', 'osc 9'],
		['1', 'xterm-ghostty', 'ghostty 1.2.0', 'osc 777'],
		['', 'foot', '', 'osc 777'],
		['on', 'xterm-256color', 'WezTerm 20240203-110809-5046fc22', 'osc 777'],
		['on', 'xterm-256color', 'VTE(8203)', undefined],
		['on', 'tmux-256color', 'tmux 3.4', undefined],
		['on', '', '', undefined],
		['off', 'xterm-kitty', 'kitty(0.42.1)', undefined],
		['0', 'xterm-kitty', 'kitty(0.42.1)', undefined],
	])('with allow-passthrough %j and the names %j and %j takes %s', async (passes, term, name, code) => {
		expect((await asked(answers(passes, term, name))).code).toBe(code);
	});

	it('is asked about the pane of the program', async () => {
		const {args} = await asked(`printf '%s ' "$@" > "$OUT"; ${answers('on', 'foot', '')}`);
		expect(args).toMatch(/^display-message -p -t %3 #\{allow-passthrough\}\t#\{client_termname\}\t/);
	});

	it.each([
		['the tmux fails', 'exit 1', undefined],
		['the answer is too long', `${answers('on', 'foot')}; printf '%2000s'`, undefined],
		['the pane is unknown', answers('on', 'foot'), {}],
		['the variable of the pane is not one', answers('on', 'foot'), {TMUX_PANE: '-x'}],
	])('is unknown if %s', async (_, script, env) => {
		expect((await asked(script, env)).code).toBeUndefined();
	});

	it('is unknown without tmux on the PATH', async () => {
		expect(await codeBehindTmux(programsIn({PATH: '', TMUX_PANE: '%3'}))).toBeUndefined();
	});
});

it('bytes through tmux have each ESC doubled', () => {
	expect(throughTmux('\x1b]9;a\x1b\\')).toBe('\x1bPtmux;\x1b\x1b]9;a\x1b\x1b\\\x1b\\');
});
