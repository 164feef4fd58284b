import type {Intent} from './intent.ts';
import {bold, code, fenced} from './markdown.ts';
import {outlineOf, type Named, type Outline} from './outline.ts';
import {needsJudgement} from './texts.ts';
import type {AttachedDir, AttachedFile, AttachedWorkflow, Step} from './turn.ts';

/** The guide's reports of results and attachments. The reports contain only facts, with counts and shortened texts. */

export function reportList({pattern, path}: Extract<Intent, {kind: 'list'}>, step: Step): string {
	if (step.isError) return reportError(step);
	const {entries, notes} = linesOf(step.content);
	const where = `\`${pattern}\`${path === undefined ? '' : ` in ${code(path)}`}`;
	if (entries.length === 0) return `Nothing matches ${where}.`;
	return listed(`${plural(entries.length, 'path')} for ${where}:`, entries.map(asCode), notes);
}

export function reportSearch({pattern, output}: Extract<Intent, {kind: 'search'}>, step: Step): string {
	if (step.isError) return reportError(step);
	const {entries, notes} = linesOf(step.content);
	const found = searchReports[output](entries, code(pattern));
	return found === undefined
		? [`No line matches ${code(pattern)}.`, ...notes].join('\n')
		: listed(found.title, found.lines, notes, found.shown);
}

type Found = {readonly title: string; readonly lines: readonly string[]; readonly shown: number};
type Output = Extract<Intent, {kind: 'search'}>['output'];

/** Returns `undefined` if nothing was found. */
const searchReports: {readonly [Name in Output]: (entries: readonly string[], what: string) => Found | undefined} = {
	files(entries, what) {
		if (entries.length === 0) return undefined;
		const title = `${what} is in ${plural(entries.length, 'file')}:`;
		return {title, lines: entries.map(asCode), shown: maxPaths};
	},
	count(entries, what) {
		const counts = matchesOf(/^(?<path>.*):(?<count>\d+)$/, entries);
		const total = counts.reduce((sum, groups) => sum + Number(groups['count']), 0);
		if (total === 0) return undefined;
		const title = `${plural(total, 'line')} with ${what} in ${plural(counts.length, 'file')}:`;
		return {title, lines: counts.map(({path = '', count}) => `- ${code(path)}: ${count}`), shown: maxPaths};
	},
	content(entries, what) {
		const hits = matchesOf(/^(?<path>.+?):(?<line>\d+):(?<text>.*)$/, entries);
		if (hits.length === 0) return undefined;
		const files = new Set(hits.map(hit => hit['path'])).size;
		const title = `${plural(hits.length, 'match', 'matches')} of ${what} in ${plural(files, 'file')}:`;
		const lines = hits.map(
			({path, line, text = ''}) => `- ${code(`${path}:${line}`)} ${code(cut(text.trim(), 100))}`,
		);
		return {title, lines, shown: maxHits};
	},
};

export function reportRead(step: Step): string {
	const path = typeof step.args['path'] === 'string' ? step.args['path'] : '';
	if (step.isError) return reportError(step);
	const [head = '', ...rest] = step.content.split('\n');
	const numbered = matchesOf(/^\s*(?<number>\d+)\t(?<text>.*)$/, [head, ...rest]);
	if (numbered.length === 0) return `${code(path)}: ${cut(head, 200)}`;
	const text = numbered.map(groups => groups['text']).join('\n');
	const first = Number(numbered[0]?.['number']);
	return [
		describe(path, outlineOf(path, text, first), `lines ${first}-${first + numbered.length - 1}`),
		...(numbered.length <= maxLines ? [fenced(text)] : []),
		...linesOf(rest.join('\n')).notes,
	].join('\n');
}

export function reportFile(file: AttachedFile): string {
	const outline = outlineOf(file.path, file.body, file.firstLine);
	const last = file.firstLine + Math.max(outline.lines - 1, 0);
	const lines = file.isPartial ? `lines ${file.firstLine}-${last}` : plural(outline.lines, 'line');
	return describe(file.path, outline, `${lines}, as attached`);
}

export function reportDir({path, body}: AttachedDir): string {
	const {entries, notes} = linesOf(body);
	const inside = entries.filter(entry => entry !== '(empty directory)');
	const count = inside.length === 0 ? 'no entries.' : `${plural(inside.length, 'entry', 'entries')}:`;
	return [`${bold(path)} has ${count}`, ...shortened(inside.map(asCode), maxPaths), ...notes].join('\n');
}

export function reportWorkflow({slug, body, knowledge}: AttachedWorkflow): string {
	const lines = body.split('\n').map(line => line.trim());
	const points = matchesOf(/^(?:[-*+]|\d+[.)]|#{1,6})\s+(?<point>.+)$/, lines).map(({point = ''}) => point);
	const asked = points.length > 0 ? points : lines.filter(line => line !== '').slice(0, 3);
	const names = knowledge.map(name => `#${name}`).join(', ');
	return [
		`**/${slug}** asks for this${knowledge.length === 0 ? '' : `, with the knowledge ${names}`}:`,
		...shortened(
			asked.map(point => `- ${cut(point, 140)}`),
			maxAsked,
		),
		needsJudgement,
	].join('\n');
}

/**
Returns a report of the result of a tool that changes something. The result is quoted literally as far as it fits.
*/
export function reportStep(title: string, step: Step): string {
	const lines = step.content.replace(/\n+$/, '').split('\n');
	const head = step.isError ? `${title} failed` : title;
	if (lines.length === 1) return `${head}: ${cut(lines.join(''), 300)}`;
	const kept =
		lines.length <= maxLines
			? lines
			: [...lines.slice(0, 4), `… ${lines.length - maxLines} lines …`, ...lines.slice(4 - maxLines)];
	return `${head}:\n${fenced(kept.map(line => cut(line, 200)).join('\n'))}`;
}

type Replacement = {
	readonly old: string;
	readonly fresh: string;
	readonly path: string;
	/** Returns how often the text occurs, if the whole file is known. */
	readonly count: number | undefined;
};

/** Returns a report of the result of an edit. The tool's result already includes the diff. */
export function reportReplaced({old, fresh, path, count}: Replacement, edit: Step): string {
	if (edit.isError || edit.content.startsWith('[Interrupted'))
		return reportStep(`${code(edit.name)} on ${code(path)}`, edit);
	const places = count === undefined ? '' : `, ${plural(count, 'place')}`;
	return `Replaced ${code(old)} by ${code(fresh)} in ${code(path)}${places}.`;
}

/** Returns a report of a program's notification. The guide does not act on the notification. */
export function reportNotification(text: string): string {
	const [first = '', ...rest] = text.trimEnd().split('\n');
	const title = `Notification: ${code(cut(first, 200))}`;
	const shown = rest.slice(-maxLines).map(line => cut(line, 200));
	return rest.length === 0 ? title : `${title}\n${fenced(shown.join('\n'))}`;
}

export function reportError(step: Step): string {
	return `${code(step.name)} answered with an error: ${cut(step.content.split('\n', 1).join(''), 300)}`;
}

const maxPaths = 20;
const maxHits = 10;
const maxNames = 14;
const maxLines = 20;
const maxAsked = 8;

function describe(path: string, {names, about}: Outline, lines: string): string {
	return [
		`${bold(path)} (${lines})${about === undefined ? '' : `: ${about}`}`,
		...shortened(
			names.map(name => describeName(name, about)),
			maxNames,
		),
	].join('\n');
}

function describeName({name, what, line, note}: Named, about: string | undefined): string {
	const keyword = /^#+$/.test(what) || what === '' ? '' : `${what} `;
	const comment = note === undefined || note === about ? '' : ` – ${note}`;
	return `- line ${line}: ${keyword}${code(name)}${comment}`;
}

/** Splits a result into its lines, the entries, and its notes in brackets about omitted entries. */
function linesOf(content: string): {readonly entries: readonly string[]; readonly notes: readonly string[]} {
	const lines = content.split('\n').filter(line => line.trim() !== '' && line !== '--');
	const isNote = (line: string) => /^\[.*\]$/.test(line) || /^No (?:matches|files)\b/i.test(line);
	return {
		entries: lines.filter(line => !isNote(line)),
		notes: lines.filter(line => /^\[.*\]$/.test(line)).map(note => cut(note, 240)),
	};
}

function matchesOf(pattern: RegExp, lines: readonly string[]): ReadonlyArray<Readonly<Record<string, string>>> {
	return lines.flatMap(line => {
		const groups = pattern.exec(line)?.groups;
		return groups === undefined ? [] : [groups];
	});
}

function listed(title: string, lines: readonly string[], notes: readonly string[], shown = maxPaths): string {
	return [title, '', ...shortened(lines, shown), ...notes].join('\n');
}

function shortened(lines: readonly string[], shown: number): readonly string[] {
	return lines.length > shown ? [...lines.slice(0, shown), `- … and ${lines.length - shown} more`] : lines;
}

function asCode(text: string): string {
	return `- ${code(text)}`;
}

function plural(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

function cut(text: string, max: number): string {
	const points = Array.from(text.slice(0, max * 2 + 2));
	return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}
