import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

/**
A text, the keys that are typed, and what vim makes of it. `|` stands before the character of the cursor. They are in
`vim-cases.json`, by what they try.
*/
export type VimCase = readonly [text: string, keys: string, result: string];

export const vimCases: Readonly<Record<string, readonly VimCase[]>> = JSON.parse(
	readFileSync(new URL('../screen/editor/vim/vim-cases.json', import.meta.url), 'utf8'),
);

/** A text with the cursor in code units of its line. */
export type VimResult = {readonly text: string; readonly line: number; readonly column: number};

/** Returns the text and the cursor of a case: `|` stands before the character of the cursor. */
export function readCase(marked: string): VimResult {
	const at = marked.indexOf('|');
	const before = marked.slice(0, at).split('\n');
	return {
		text: marked.slice(0, at) + marked.slice(at + 1),
		line: before.length - 1,
		column: before.at(-1)!.length,
	};
}

/** Types the keys of each case in a real vim, and returns what it makes of the texts. */
export async function runVim(vim: string, cases: readonly VimCase[]): Promise<readonly VimResult[]> {
	const place = await mkdtemp(join(tmpdir(), 'inkpod-vim-'));
	try {
		const jobs = cases.map(([marked, keys]) => {
			const {text, line, column} = readCase(marked);
			const lines = text.split('\n');
			const bytes = Buffer.byteLength(lines[line]!.slice(0, column));
			return {lines, line: line + 1, column: bytes + 1, keys: vimKeys(keys)};
		});
		await writeFile(join(place, 'cases.json'), JSON.stringify(jobs));
		await writeFile(join(place, 'run.vim'), script(place));
		const args = ['-u', 'NONE', '-i', 'NONE', '-n', '-N', '-es', '-S', join(place, 'run.vim')];
		await promisify(execFile)(vim, args, {env: {...process.env, LC_ALL: 'C.UTF-8'}, timeout: 60_000});
		const results: ReadonlyArray<{lines: string[]; line: number; before: string}> = JSON.parse(
			await readFile(join(place, 'results.json'), 'utf8'),
		);
		return results.map(({lines, line, before}) => ({
			text: lines.join('\n'),
			line: line - 1,
			column: before.length,
		}));
	} finally {
		await rm(place, {recursive: true, force: true});
	}
}

/** The options are those of the composer: two spaces for a shift, and words of letters, digits and underscores. */
function script(place: string): string {
	return `set encoding=utf-8 nocompatible noautoindent expandtab shiftwidth=2 tabstop=2 startofline backspace=2
set cpoptions=aABceFs whichwrap=b,s nojoinspaces
let results = []
for job in json_decode(join(readfile('${place}/cases.json'), "\\n"))
  enew!
  call setline(1, job.lines)
  let &undolevels = &undolevels
  for name in split('0 1 2 3 4 5 6 7 8 9 a b - "', ' ')
    call setreg(name, '')
  endfor
  call cursor(job.line, job.column)
  call feedkeys(eval('"' . escape(job.keys, '"') . '"'), 'tx')
  let results += [{'lines': getline(1, '$'), 'line': line('.'), 'before': strpart(getline('.'), 0, col('.') - 1)}]
endfor
call writefile([json_encode(results)], '${place}/results.json')
cquit 0
`;
}

/** Writes keys as vim's strings take them: \`\\<Esc>\`. */
function vimKeys(keys: string): string {
	return keys.replaceAll('\\', '\\\\').replaceAll(/<(?=(?:Esc|BS|CR|Space|lt|C-[a-z])>)/g, '\\<');
}
