import type {SessionChanges, Untracked} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {parseDiff} from '../../rows/diff/diff-layout.ts';
import {blankLine, sectionLines} from './page-lines.ts';
import type {PageDiff, PageLine, TextPage} from '../../model/pages/text-page.ts';
import {diffTexts, pageTitles} from '../../model/pages/texts.ts';

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
	return [head, ...(diff === '' ? [] : [diffLine(diff, {path})]), blankLine];
}

function gitLines(git: SessionChanges['git']): readonly PageLine[] {
	const tracked = trackedLines(git);
	return git.kind === 'diff' && git.untracked !== undefined
		? [...tracked, ...untrackedLines(git.untracked)]
		: tracked;
}

/** Returns the lines of the untracked files. An empty file has no lines, and needs no note. */
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
	return limited([diffLine(git.text.replace(/\n$/, ''), {showsFiles: true})], git.truncated);
}

function diffLine(text: string, facts: Omit<PageDiff, 'lines'>): PageLine {
	const lines = parseDiff(text.split('\n')).map(line =>
		line.text.length <= maxLineLength ? line : {...line, text: cutLine(line.text)},
	);
	return {spans: [], diff: {lines, ...facts}};
}

/** The maximum sizes of a part of the page: `maxLines` is a number of lines, and `maxLineLength` is in code units. */
const maxLines = 10_000;
const maxLineLength = 4000;

function limited(given: readonly PageLine[], isCut = false): readonly PageLine[] {
	const shown: PageLine[] = [];
	let left = maxLines;
	for (const line of given) {
		const {diff} = line;
		if (left > 0) shown.push(diff === undefined ? line : {...line, diff: firstLines(diff, left)});
		left -= diff?.lines.length ?? 1;
	}
	return isCut || left < 0 ? [...shown, note(diffTexts.truncated)] : shown;
}

function firstLines(diff: PageDiff, most: number): PageDiff {
	return diff.lines.length <= most ? diff : {...diff, lines: diff.lines.slice(0, most)};
}

function cutLine(text: string): string {
	return `${text.slice(0, maxLineLength)}…`;
}

function note(text: string): PageLine {
	return {spans: [{text, style: 'dim'}]};
}
