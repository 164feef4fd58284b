import {extname} from 'node:path';
import type {Env} from '../../pod/index.ts';
import {exportSession, type ExportFormat} from './export.ts';
import {unknownFormat} from './texts.ts';

export type ExportFromChat = {
	/** The id of the session. */
	readonly id: string;
	readonly env: Env;
	/** The working directory of the session. A relative file is below it. */
	readonly cwd: string;
};

/** `sentence`: what was written and left out, or why nothing was written. */
export type ChatExport = {readonly ok: boolean; readonly sentence: string};

/** Implements `/export [FILE]`. The end of the file's name chooses the format. */
export async function exportFromChat(file: string, {id, env, cwd}: ExportFromChat): Promise<ChatExport> {
	const to = file === '' ? `inkpod-${id}.md` : file;
	const format = formatOf(to);
	if (format === undefined) return {ok: false, sentence: unknownFormat};
	const lines: string[] = [];
	const stderr = {write: (text: string) => lines.push(text.replace(/^inkpod: /, '').trimEnd())};
	const stdout = {write: () => true};
	const code = await exportSession({id, env, cwd, format, to, exact: false, force: false, stdout, stderr});
	return {ok: code === 0, sentence: lines.filter(line => !line.startsWith(' ')).join(' ')};
}

function formatOf(file: string): ExportFormat | undefined {
	return formats.get(extname(file).toLowerCase());
}

const formats: ReadonlyMap<string, ExportFormat> = new Map([
	['.md', 'md'],
	['.html', 'html'],
	['.htm', 'html'],
	['.json', 'json'],
]);
