import {en, enCount, t} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool} from '../../../worker/index.ts';
import type {Change, Changes} from './changes.ts';
import {applyEdits, type Edit} from './edits.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {editFileFacts} from '../../protocol/tool-definitions.ts';
import {changeSentence, editSentence} from './failures.ts';

/**
Creates the tool that replaces texts in a file. The model must have read at least a part of the file.
The details of the result have a unified diff.
*/
export function editFileTool(changes: Changes): Tool {
	const texts = editFileFacts.arguments;
	const edit = z.object({
		old: z.string().min(1).describe(texts.old),
		new: z.string(),
		all: z.boolean().optional().describe(texts.all),
	});
	return defineTool({
		...editFileFacts,
		input: z.object({
			path: z.string().min(1),
			edits: z.array(edit).min(1).max(maxEdits),
		}),
		target: async ({path}) => changes.target(path),
		isRunLater: async target => changes.isRunLater(target),
		execute: async (args, call) => changes.make(editing(args), call),
		preview: async (args, {target}) => changes.preview(editing(args), target),
	});
}

const maxEdits = 200;
const maxDiffBytes = 16_384;

function editing(args: {readonly path: string; readonly edits: readonly Edit[]}): Change {
	const {path, edits} = args;
	return {
		args,
		path,
		needs: 'some',
		apply(present) {
			if (edits.some(edit => edit.new.includes('\0') || !edit.new.isWellFormed()))
				return {ok: false, sentence: changeSentence('not_text', onOneLine(path))};
			const edited = applyEdits(present?.raw ?? '', edits);
			if (!edited.ok) return {ok: false, sentence: editSentence(edited, onOneLine(path))};
			return {
				ok: true,
				text: {bom: present?.bom === true, raw: edited.raw},
				summary:
					edited.places === edits.length
						? enCount(edits.length, 'edit')
						: en`${enCount(edits.length, 'edit')} in ${enCount(edited.places, 'place')}`,
			};
		},
		maxDiffBytes,
		title: t`Allow this edit to ${onOneLine(path)}`,
		asWritten: edits.map(block).join('\n'),
	};
}

/** Returns one edit in the form of a diff. */
function block({old, new: fresh, all}: Edit, index: number): string {
	const signed = (sign: string, text: string) =>
		text
			.split('\n')
			.map(line => sign + line)
			.join('\n');
	const title = all ? t`edit ${index + 1}, every occurrence` : t`edit ${index + 1}`;
	return `${title}\n${signed('-', old)}\n${signed('+', fresh)}`;
}
