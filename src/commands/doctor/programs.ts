import {access, constants, stat} from 'node:fs/promises';
import {delimiter, isAbsolute, join} from 'node:path';
import process from 'node:process';
import {childEnv, shellOf} from '../../pod/child-env.ts';
import type {Env} from '../../pod/home.ts';
import {findRipgrep} from '../../pod/tools/ripgrep.ts';
import {programsOf} from '../../tui/terminal/clipboard.ts';
import {findEditor, type EditorCommand} from '../../tui/terminal/editor-program.ts';
import type {Fact} from './fact.ts';

/** The programs that inkpod would call here, and what it does without them. None of them is run. */
export async function programFacts(pwd: string | undefined, env: Env): Promise<Fact[]> {
	return [ripgrepFact(pwd, env), await editorFact(env), await pagerFact(env), await clipboardFact(env), await shellFact(env)];
}

function ripgrepFact(pwd = '/', env: Env): Fact {
	const found = findRipgrep(env['PATH'], {pwd, writable: false, readRoots: []});
	return found === undefined ? {about: 'ripgrep', level: 'note', text: 'There is no rg in PATH and no package with one: the built-in search is used, which is slower'} : {about: 'ripgrep', level: 'ok', text: found};
}

async function editorFact(env: Env): Promise<Fact> {
	const found = await findEditor(env);
	if (!isCommand(found)) return {about: 'editor', level: 'note', text: found.reason === 'quotes' ? `A quote is left open in ${found.command}: set VISUAL or EDITOR` : 'None was found: set VISUAL or EDITOR to edit a draft outside'};
	return programFact('editor', found[0], env, 'Ctrl+G cannot open it');
}

function isCommand(found: Awaited<ReturnType<typeof findEditor>>): found is EditorCommand {
	return Array.isArray(found);
}

async function pagerFact(env: Env): Promise<Fact> {
	const [name = ''] = (env['PAGER'] ?? '').trim().split(/\s+/);
	return programFact('pager', name === '' ? 'less' : name, env, 'inkpod itself needs none');
}

async function clipboardFact(env: Env): Promise<Fact> {
	for (const [name] of programsOf(process.platform, env)) {
		const found = await findProgram(name, env);
		if (found !== undefined) return {about: 'clipboard', level: 'ok', text: found};
	}
	return {about: 'clipboard', level: 'note', text: 'No program of the system is there: /copy asks the terminal (OSC 52), which may not listen'};
}

async function shellFact(env: Env): Promise<Fact> {
	return programFact('shell', shellOf(childEnv(env)), env, 'a !command cannot be run', 'broken');
}

async function programFact(about: string, name: string, env: Env, without: string, level: 'note' | 'broken' = 'note'): Promise<Fact> {
	const found = await findProgram(name, env);
	return found === undefined ? {about, level, text: `${name} is not there or may not be executed: ${without}`} : {about, level: 'ok', text: found};
}

/** A program by its path, or the first of that name in PATH. */
async function findProgram(name: string, env: Env): Promise<string | undefined> {
	const paths = name.includes('/') ? [name] : (env['PATH'] ?? '').split(delimiter).filter(folder => isAbsolute(folder)).map(folder => join(folder, name));
	for (const path of paths) if (await isExecutable(path)) return path;
	return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}
