import type {ChangedFile} from '../../pod/protocol.ts';
import {say, tell, type App} from '../app-state.ts';
import {answerDelay} from '../card/card.ts';
import {chordOf} from '../keys.ts';
import type {PageLine, TextPage} from '../overlay/page.ts';
import type {Span} from '../screen/row.ts';
import {sanitizeLine} from '../screen/sanitize.ts';
import {diffStyles, parseDiff} from '../transcript/blocks/diff-lines.ts';
import {plural} from '../transcript/blocks/format.ts';

/** After a rewind: shows what putting back the files would change that tools have changed since, and asks whether to. Nothing is shown where there is nothing to put back. */
export async function offerFiles(app: App, to: string): Promise<void> {
	const client = await app.client.promise;
	const files = await client.filesSince(to).catch((error: unknown) => {
		tell(app, {level: 'error', text: `It cannot be told which files have changed since: ${error instanceof Error ? error.message : String(error)}`});
		return [];
	});
	if (files.length === 0) return;
	app.page = askPage(app, to, files);
	app.changed('now');
}

/** The first question is about all; what somebody else has changed, too, waits for a second one. */
function askPage(app: App, to: string, files: readonly ChangedFile[]): TextPage {
	const ours = files.filter(({state}) => state === 'tools');
	const others = files.filter(({state}) => state === 'others');
	const askOthers = () => (app.page = others.length === 0 ? undefined : othersPage(app, to, others));
	const isAsked = ours.length + others.length > 0;
	return {
		title: isAsked ? 'Put the files back, too?' : 'Files cannot be put back',
		top: 0,
		...(isAsked && {hint: 'y yes · n no'}),
		lines: [{spans: [{text: introduction(ours.length, others.length)}]}, ...files.flatMap(linesOf)],
		press: answering(app, isAsked, () => {
			askOthers();
			if (ours.length > 0) void restore(app, to, ours);
		}),
	};
}

function othersPage(app: App, to: string, others: readonly ChangedFile[]): TextPage {
	return {
		title: 'Put these back all the same?',
		top: 0,
		hint: 'y overwrites · n leaves them',
		lines: [{spans: [{text: `Somebody else has changed ${others.length === 1 ? 'this file' : 'these files'}, too: what they did is lost then, but for the copy that the session keeps.`, style: 'warn'}]}, ...others.flatMap(linesOf)],
		press: answering(app, true, () => {
			app.page = undefined;
			void restore(app, to, others);
		}),
	};
}

function answering(app: App, isAsked: boolean, yes: () => void): TextPage['press'] {
	const since = app.options.now();
	return key => {
		const chord = chordOf(key).toLowerCase();
		if (!isAsked || (chord !== 'y' && chord !== 'n')) return false;
		// What was being typed when the question came is no answer.
		if (chord === 'y' && app.options.now() - since < answerDelay) return true;
		if (chord === 'y') yes();
		else app.page = undefined;
		return true;
	};
}

async function restore(app: App, to: string, files: readonly ChangedFile[]): Promise<void> {
	const receipt = await say(app, {method: 'restore_files', to, files: files.map(({real, present}) => ({real, ...(present !== undefined && {present})}))});
	if (!receipt.accepted) tell(app, {level: 'error', text: receipt.sentence});
}

function introduction(ours: number, others: number): string {
	if (ours + others === 0) return 'Tools have changed files since that message, and they stay as they are.';
	const first = ours === 0 ? '' : `Tools have changed ${plural(ours, 'file')} since that message. Yes puts ${ours === 1 ? 'it' : 'them'} back as shown. `;
	return `${first}${others === 0 ? '' : `What somebody else has changed, too (${plural(others, 'file')}), is asked about once more. `}What commands changed is not known here.`;
}

function linesOf({path, state, diff, removes, sentence}: ChangedFile): readonly PageLine[] {
	const facts: Span[] = [
		...(removes === true ? [{text: ' · is removed: a tool had made it', style: 'warn'} satisfies Span] : []),
		...(sentence === undefined ? [] : [{text: ` · ${state === 'lost' ? 'stays: ' : '▲ '}${sanitizeLine(sentence)}`, style: 'warn'} satisfies Span]),
	];
	const texts = diff === '' ? [] : diff.split('\n');
	const body = state !== 'lost' && texts.length === 0 ? [{spans: [{text: '  (no text, or nothing to show)', style: 'dim'} satisfies Span]}] : diffLines(texts);
	return [{spans: []}, {spans: [{text: sanitizeLine(path), style: 'path'}, ...facts]}, ...body];
}

function diffLines(texts: readonly string[]): PageLine[] {
	return parseDiff(texts).filter(({kind}) => kind !== 'file').map(({kind, text}) => ({lead: {text: '  ', style: 'dim'}, spans: [{text: sanitizeLine(text), style: diffStyles[kind]}]}));
}
