import type {SessionChanges, Untracked} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import {numberCells, parseDiff, type DiffLine} from '../../transcript/diff/diff-lines.ts';
import {diffSpans, fillStyle, isInside} from '../../transcript/diff/diff-spans.ts';
import {hunkGap} from '../../transcript/diff/texts.ts';
import {blankLine, sectionLines} from '../text/page-lines.ts';
import type {PageLine, TextPage} from '../text/text-page.ts';
import {diffTexts, pageTitles} from '../texts.ts';

/** Returns the page with the changes by tools and the uncommitted changes. All texts are untrusted. */
export function diffPage({files, moreFiles, git}: SessionChanges): TextPage {
	return {
		kind: 'text',
		title: pageTitles.diff,
		top: 0,
		lines: [
			...sectionLines(diffTexts.byTools, [
				...(files.length === 0 ? [note(diffTexts.noToolChanges)] : limited(files.flatMap(fileLines))),
				...(moreFiles === 0 ? [] : [note(diffTexts.moreFiles(moreFiles))]),
			]),
			...sectionLines(diffTexts.git, gitLines(git)),
		],
	};
}

function fileLines({path, diff, remark}: SessionChanges['files'][number]): readonly PageLine[] {
	const facts = [remark, ...(diff === '' && remark === undefined ? [diffTexts.noText] : [])];
	const notes = facts.flatMap(fact => fact ?? []).map(fact => ` · ${sanitizeLine(fact)}`);
	const head: PageLine = {
		spans: [
			{text: sanitizeLine(path), style: 'path'},
			{text: notes.join(''), style: 'warn'},
		],
	};
	const lines = diff === '' ? [] : parseDiff(diff.split('\n')).filter(({kind}) => kind !== 'file');
	return [head, ...diffLines(lines), blankLine];
}

function gitLines(git: SessionChanges['git']): readonly PageLine[] {
	const tracked = trackedLines(git);
	return git.kind === 'diff' && git.untracked !== undefined
		? [...tracked, ...untrackedLines(git.untracked)]
		: tracked;
}

/** An empty file has no lines, and needs no remark. */
function untrackedLines({files, hasMore, problem}: Untracked): readonly PageLine[] {
	if (problem !== undefined) return [blankLine, {spans: [{text: sanitizeLine(problem), style: 'error'}]}];
	if (files.length === 0) return [];
	return [
		blankLine,
		note(diffTexts.untracked),
		...limited(files.flatMap(file => fileLines({remark: file.diff === '' ? diffTexts.empty : undefined, ...file}))),
		...(hasMore ? [note(diffTexts.moreUntracked)] : []),
	];
}

function trackedLines(git: SessionChanges['git']): readonly PageLine[] {
	if (git.kind === 'none') return [note(diffTexts.notRepository)];
	if (git.kind === 'failed') return [{spans: [{text: sanitizeLine(git.sentence), style: 'error'}]}];
	if (git.text === '') return git.untracked?.files.length ? [] : [note(diffTexts.noGitChanges)];
	const lines = parseDiff(git.text.replace(/\n$/, '').split('\n'));
	return limited(diffLines(lines), git.truncated);
}

/** Returns the lines with their numbers. A sign replaces the headers of hunks. */
function diffLines(given: readonly DiffLine[]): readonly PageLine[] {
	const lines = given.slice(0, maxLines + 2).map(line => ({...line, text: cutLine(line.text)}));
	const digits = numberCells(lines);
	const spans = diffSpans(lines);
	return lines.flatMap(({kind, number}, index): PageLine[] => {
		const lead: Span = {text: `${String(number ?? '').padStart(digits)} `, style: 'dim'};
		const fill = fillStyle(kind);
		if (kind === 'hunk')
			return isInside(lines[index - 1]?.kind) ? [{lead, spans: [{text: hunkGap, style: 'dim'}]}] : [];
		return [{lead, spans: spans[index] ?? [], ...(fill && {fill: `${fill}.fill` as const})}];
	});
}

/** The limits of a part of the page. With them, a page of the worst diff opens in a quarter of a second. */
const maxLines = 10_000;
const maxLineLength = 4000;

function limited(lines: readonly PageLine[], isCut = false): readonly PageLine[] {
	const shown = lines.slice(0, maxLines);
	return isCut || shown.length < lines.length ? [...shown, note(diffTexts.truncated)] : shown;
}

function cutLine(text: string): string {
	return text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}…`;
}

function note(text: string): PageLine {
	return {spans: [{text, style: 'dim'}]};
}
