import {isAbsolute} from 'node:path';
import process from 'node:process';
import {childEnv, findProgram, findRipgrep, isProgram, shellOf, type Env} from '../../pod/index.ts';
import {programsOf} from '../../tui/terminal/clipboard.ts';
import {editorProblemSentence, findEditor, type EditorCommand} from '../../tui/terminal/editor-program.ts';
import type {Programs} from '../../tui/terminal/program.ts';
import type {Fact} from './fact.ts';

/** The programs that inkpod would call here, and what it does without them. None of them is run. */
export async function programFacts(pwd: string | undefined, env: Env): Promise<Fact[]> {
	const programs = {env, find: (name: string) => findProgram(name, env['PATH'], pwd)};
	return [
		ripgrepFact(pwd, env),
		editorFact(programs),
		pagerFact(programs),
		clipboardFact(programs),
		shellFact(programs),
	];
}

function ripgrepFact(pwd = '/', env: Env): Fact {
	const found = findRipgrep(env['PATH'], {pwd, writable: false, readRoots: []});
	return found === undefined
		? {
				about: 'ripgrep',
				level: 'note',
				text: 'There is no rg in PATH and no package with one: the built-in search is used, which is slower',
			}
		: {about: 'ripgrep', level: 'ok', text: found};
}

function editorFact(programs: Programs): Fact {
	const found = findEditor(programs);
	if ('reason' in found && found.reason === 'not_found')
		return {about: 'editor', level: 'note', text: editorProblemSentence(found)};
	if (!isCommand(found))
		return {
			about: 'editor',
			level: 'note',
			text:
				found.reason === 'quotes'
					? `A quote is left open in ${found.command}: set VISUAL or EDITOR`
					: 'None was found: set VISUAL or EDITOR to edit a draft outside',
		};
	return programFact('editor', found[0], programs, 'Ctrl+G cannot open it');
}

function isCommand(found: ReturnType<typeof findEditor>): found is EditorCommand {
	return Array.isArray(found);
}

function pagerFact(programs: Programs): Fact {
	const [name = ''] = (programs.env['PAGER'] ?? '').trim().split(/\s+/);
	return programFact('pager', name === '' ? 'less' : name, programs, 'inkpod itself needs none');
}

function clipboardFact({env, find}: Programs): Fact {
	const found = programsOf(process.platform, env)
		.map(([name]) => find(name))
		.find(path => path !== undefined);
	if (found !== undefined) return {about: 'clipboard', level: 'ok', text: found};
	return {
		about: 'clipboard',
		level: 'note',
		text: 'No program of the system is there: /copy asks the terminal (OSC 52), which may not listen',
	};
}

function shellFact(programs: Programs): Fact {
	return programFact('shell', shellOf(childEnv(programs.env)), programs, 'a !command cannot be run', 'broken');
}

type Level = 'note' | 'broken';

/** A program by its path, or the first of that name in PATH. */
function programFact(about: string, name: string, {find}: Programs, without: string, level: Level = 'note'): Fact {
	const found = isAbsolute(name) && isProgram(name) ? name : find(name);
	if (found !== undefined) return {about, level: 'ok', text: found};
	return {about, level, text: `${name} is not there or may not be executed: ${without}`};
}
