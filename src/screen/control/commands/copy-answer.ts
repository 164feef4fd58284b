import {walkTokens, type Token} from 'marked';
import {showAlert, type App} from '../app.ts';
import {lex} from '../../markdown/lexer.ts';
import {cutMiddle} from '../../rows/parts/long-text.ts';
import {blocksOf, type Transcript} from '../../../transcript/state.ts';
import {copiedBy, copiedByTerminal} from '../../view/selection/texts.ts';
import {
	cannotCopy,
	codeBlockOf,
	codeBlocksThereAre,
	copyUsage,
	lastAnswer,
	nothingToCopy,
	soFar,
} from '../../model/commands/texts.ts';

/**
Copies the stored text of the last answer, or its n-th fenced code block. Resolves with a sentence if there is nothing
to copy.
*/
export async function copyAnswer(app: App, argument: string): Promise<string | undefined> {
	const {store} = app.state.transcript;
	const {
		options: {copy},
	} = app;
	if (copy === undefined) return cannotCopy;
	const answer = store === undefined ? undefined : answerOf(store.transcript);
	if (answer === undefined) return nothingToCopy;
	const wanted = choose(answer.text, argument);
	if (!wanted.ok) return wanted.sentence;
	const copied = await copy(wanted.text);
	if (!copied.ok) return copied.sentence;
	const name = answer.open ? soFar(wanted.name) : wanted.name;
	showAlert(app, {
		level: 'info',
		text: copied.by === 'program' ? copiedBy(name, copied.program) : copiedByTerminal(name),
	});
	return undefined;
}

/** Returns the texts of the fenced code blocks in order, including blocks in lists and quotes. */
export function codeBlocks(markdown: string): string[] {
	const texts: string[] = [];
	void walkTokens(lex(markdown), (token: Token) => {
		if (token.type === 'code' && !('codeBlockStyle' in token && token['codeBlockStyle'] === 'indented'))
			texts.push(token['text'] as string);
	});
	return texts;
}

/** Returns the model's last text, finished or not. */
function answerOf(transcript: Transcript): {readonly text: string; readonly open: boolean} | undefined {
	const block = blocksOf(transcript).findLast(each => each.kind === 'assistant' && each.item.text.trim() !== '');
	return block?.kind === 'assistant' ? {text: block.item.text, open: block.open} : undefined;
}

type Wanted =
	| {readonly ok: true; readonly name: string; readonly text: string}
	| {readonly ok: false; readonly sentence: string};

function choose(answer: string, argument: string): Wanted {
	if (argument === '') return {ok: true, name: lastAnswer, text: answer};
	if (!/^[1-9]\d{0,5}$/.test(argument)) return {ok: false, sentence: copyUsage};
	const blocks = codeBlocks(cutMiddle(answer).head);
	const text = blocks[Number(argument) - 1];
	if (text !== undefined) return {ok: true, name: codeBlockOf(argument), text};
	return {ok: false, sentence: codeBlocksThereAre(blocks.length)};
}
