import {isUtf8} from 'node:buffer';
import {readFile, stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {startTexts} from './texts.ts';

type PromptRead = {readonly ok: true; readonly prompt: string} | {readonly ok: false; readonly sentence: string};

/** Reads a file with a system prompt that replaces inkpod's own. */
export async function readPromptFile(file: string, cwd = '.'): Promise<PromptRead> {
	const path = resolve(cwd, file);
	try {
		if ((await stat(path)).size > maxBytes) return {ok: false, sentence: startTexts.promptTooLarge(file)};
		const bytes = await readFile(path);
		const prompt = bytes.toString('utf8').trim();
		return isUtf8(bytes) && prompt !== ''
			? {ok: true, prompt}
			: {ok: false, sentence: startTexts.promptNotText(file)};
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		return {ok: false, sentence: startTexts.promptUnreadable(file, code)};
	}
}

const maxBytes = 262_144;
