import type {Alert} from '../../../pod/protocol.ts';
import type {Services} from '../app.ts';
import {editorProblemSentence, findEditor} from '../../terminal/editor-program.ts';
import {findPager, pagerSentence} from '../../terminal/program.ts';
import {
	createLentFile,
	type Env,
	type LentFile,
	type Program,
	type ProgramProblem,
	type Programs,
} from '../../terminal/program.ts';
import type {BlockSource} from '../../rows/block-sources.ts';
import type {Way} from '../../model/opener/opener-state.ts';
import {changesDiscarded, openedInLess} from '../../view/opener/texts.ts';

/**
Opens a text in your pager or editor, from a temporary file. Resolves when the program has ended, with a sentence if
something failed.
*/
export async function openStored(
	{text, extension}: BlockSource,
	way: Way,
	{programs, onLend}: Pick<Services, 'programs' | 'onLend'>,
	onFile: (file: LentFile) => void,
): Promise<Alert | undefined> {
	const found = await find[way](await programs(), text);
	if ('sentence' in found) return warning(found.sentence);
	let file: LentFile;
	try {
		file = createLentFile(text, {folder: 'inkpod-stored-', name: `stored.${extension}`});
	} catch (error) {
		return warning(found.say({reason: 'io', detail: (error as Error).message}));
	}
	onFile(file);
	let sentence: string | undefined;
	const lent = await onLend(async () => {
		const problem = await file.run(found.program, found.env);
		sentence = problem && found.say(problem);
	});
	const isChanged = lent && file.isChanged();
	file.dispose();
	if (sentence !== undefined) return warning(sentence);
	if (isChanged) return warning(changesDiscarded);
	return found.note === undefined ? undefined : {level: 'info', text: found.note};
}

type Found =
	| {
			readonly program: Program;
			readonly env: Env;
			readonly say: (problem: ProgramProblem) => string;
			readonly note?: string;
	  }
	| {readonly sentence: string};

const find: {readonly [Each in Way]: (programs: Programs, text: string) => Promise<Found>} = {
	async pager(programs, text) {
		const pager = await findPager(programs, text);
		if ('reason' in pager) return {sentence: pagerSentence(pager)};
		const {program, env: own, instead} = pager;
		const note = instead === undefined ? {} : {note: openedInLess(instead)};
		return {program, env: own, say: pagerSentence, ...note};
	},
	async editor(programs) {
		const editor = findEditor(programs);
		return 'reason' in editor
			? {sentence: editorProblemSentence(editor)}
			: {program: editor, env: programs.env, say: editorProblemSentence};
	},
};

function warning(text: string): Alert {
	return {level: 'warn', text};
}
