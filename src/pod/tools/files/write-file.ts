import {en, enCount, t} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool} from '../../../worker/index.ts';
import type {Change, Changes} from './changes.ts';
import {lineCount, replacingText} from './file-text.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {writeFileFacts} from '../../protocol/tool-definitions.ts';
import {changeSentence} from './failures.ts';

/**
Creates the tool that writes a whole file. A file that exists must have been read completely.
The details of the result have the beginning of the diff.
*/
export function writeFileTool(changes: Changes): Tool {
	return defineTool({
		...writeFileFacts,
		input: z.object({
			path: z.string().min(1),
			content: z.string(),
		}),
		target: async ({path}) => changes.target(path),
		isRunLater: async target => changes.isRunLater(target),
		isNew: async target => changes.isNew(target),
		execute: async (args, call) => changes.make(writing(args), call),
		preview: async (args, {target}) => changes.preview(writing(args), target),
	});
}

const maxDiffBytes = 4096;

function writing(args: {readonly path: string; readonly content: string}): Change {
	const {path, content} = args;
	return {
		args,
		path,
		needs: 'whole',
		apply(present) {
			if (content.includes('\0') || !content.isWellFormed())
				return {ok: false, sentence: changeSentence('not_text', onOneLine(path))};
			return {
				ok: true,
				text: replacingText(present, content),
				summary: writtenWords(present === undefined, enCount(lineCount(content), 'line')),
			};
		},
		maxDiffBytes,
		title: t`Allow writing ${onOneLine(path)}`,
		asWritten: content,
	};
}

function writtenWords(isNew: boolean, lines: string): string {
	return isNew ? en`new file, ${lines}` : en`overwritten, ${lines}`;
}
