import {outlineOf, type Outline} from './outline.ts';
import type {AttachedDir, AttachedFile, AttachedWorkflow, Step} from './turn.ts';
import type {Intent} from './intent.ts';

/** What the guide says of results and attachments: only what stands in them, counted and cut. */

export function reportList(intent: Extract<Intent, {kind: 'list'}>, step: Step): string {
	if (step.isError) return failed('glob', step);
	const {entries, notes} = linesOf(step.content);
	const where = `\`${intent.pattern}\`${intent.path === undefined ? '' : ` in ${code(intent.path)}`}`;
	if (entries.length === 0) return `Nothing matches ${where}.`;
	return [
		`${plural(entries.length, 'path')} for ${where}:`,
		'',
		...entries.slice(0, shownPaths).map(path => `- ${code(path)}`),
		...more(entries.length - shownPaths),
		...notes,
	].join('\n');
}

export function reportSearch(intent: Extract<Intent, {kind: 'search'}>, step: Step): string {
	if (step.isError) return failed('grep', step);
	const {entries, notes} = linesOf(step.content);
	const what = code(intent.pattern);
	if (intent.output === 'files')
		return entries.length === 0
			? noMatch(what, notes)
			: [
					`${what} stands in ${plural(entries.length, 'file')}:`,
					'',
					...entries.slice(0, shownPaths).map(path => `- ${code(path)}`),
					...more(entries.length - shownPaths),
					...notes,
				].join('\n');
	if (intent.output === 'count') {
		const counts = matchesOf(/^(?<path>.*):(?<count>\d+)$/, entries);
		const total = counts.reduce((sum, groups) => sum + Number(groups['count']), 0);
		return total === 0
			? noMatch(what, notes)
			: [
					`${plural(total, 'line')} with ${what} in ${plural(counts.length, 'file')}:`,
					'',
					...counts.slice(0, shownPaths).map(groups => `- ${code(groups['path']!)}: ${groups['count']}`),
					...more(counts.length - shownPaths),
					...notes,
				].join('\n');
	}
	const hits = matchesOf(/^(?<path>.+?):(?<line>\d+):(?<text>.*)$/, entries);
	if (hits.length === 0) return noMatch(what, notes);
	const files = new Set(hits.map(hit => hit['path'])).size;
	return [
		`${plural(hits.length, 'match', 'matches')} of ${what} in ${plural(files, 'file')}:`,
		'',
		...hits
			.slice(0, shownHits)
			.map(hit => `- ${code(`${hit['path']}:${hit['line']}`)} ${code(cut(hit['text']!.trim(), 100))}`),
		...more(hits.length - shownHits),
		...notes,
	].join('\n');
}

export function reportRead(step: Step): string {
	const path = typeof step.args['path'] === 'string' ? step.args['path'] : '';
	if (step.isError) return failed('read_file', step);
	const numbered = matchesOf(/^\s*(?<number>\d+)\t(?<text>.*)$/, step.content.split('\n'));
	if (numbered.length === 0) return `${code(path)}: ${cut(step.content.split('\n', 1)[0]!, 200)}`;
	const text = numbered.map(groups => groups['text']).join('\n');
	const first = Number(numbered[0]!['number']);
	const {notes} = linesOf(step.content.split('\n').slice(1).join('\n'));
	return [
		describe(path, outlineOf(path, text, first), `lines ${first}-${first + numbered.length - 1}`),
		...(numbered.length <= shownLines ? [fenced(text)] : []),
		...notes,
	].join('\n');
}

export function reportFile(file: AttachedFile): string {
	const outline = outlineOf(file.path, file.body, file.firstLine);
	const lines = file.partial
		? `lines ${file.firstLine}-${file.firstLine + Math.max(outline.lines - 1, 0)}, as attached`
		: `${plural(outline.lines, 'line')}, as attached`;
	return describe(file.path, outline, lines);
}

export function reportDir({path, body}: AttachedDir): string {
	const {entries, notes} = linesOf(body);
	const listed = entries.filter(entry => entry !== '(empty directory)');
	return [
		`**${escapeMark(path)}** has ${listed.length === 0 ? 'no entries.' : `${plural(listed.length, 'entry', 'entries')}:`}`,
		...listed.slice(0, shownPaths).map(entry => `- ${code(entry)}`),
		...more(listed.length - shownPaths),
		...notes,
	].join('\n');
}

export function reportWorkflow({slug, body, knowledge}: AttachedWorkflow): string {
	const lines = body.split('\n').map(line => line.trim());
	const points = matchesOf(/^(?:[-*+]|\d+[.)]|#{1,6})\s+(?<point>.+)$/, lines).map(groups => groups['point']!);
	const asked = points.length > 0 ? points : lines.filter(line => line !== '').slice(0, 3);
	return [
		`**/${slug}** asks for this${knowledge.length === 0 ? '' : `, with the knowledge ${knowledge.map(name => `#${name}`).join(', ')}`}:`,
		...asked.slice(0, 8).map(point => `- ${cut(point, 140)}`),
		...more(asked.length - 8),
		'That takes judgement, which rules do not have: a connected model would do it with exactly this context.',
	].join('\n');
}

/** What a changing tool answered, word for word as far as it fits. */
export function reportStep(title: string, step: Step): string {
	const lines = step.content.replace(/\n+$/, '').split('\n');
	const head = step.isError ? `${title} failed` : title;
	if (lines.length === 1) return `${head}: ${cut(lines[0]!, 300)}`;
	const kept =
		lines.length <= shownLines
			? lines
			: [...lines.slice(0, 4), `… ${lines.length - shownLines} lines …`, ...lines.slice(4 - shownLines)];
	return `${head}:\n${fenced(kept.map(line => cut(line, 200)).join('\n'))}`;
}

/** What an edit did: its diff stands in the tool's answer, and is not told again. */
export function reportReplaced(
	{
		old,
		fresh,
		path,
		count,
	}: {readonly old: string; readonly fresh: string; readonly path: string; readonly count: number | undefined},
	edit: Step,
): string {
	if (edit.isError || edit.content.startsWith('[Interrupted'))
		return reportStep(`${code('edit_file')} on ${code(path)}`, edit);
	return `Replaced ${code(old)} by ${code(fresh)} in ${code(path)}${count === undefined ? '' : `, ${plural(count, 'place')}`}.`;
}

/** What a program told, without taking it for anybody's wish. */
export function reportTold(text: string): string {
	const [first = '', ...rest] = text.trimEnd().split('\n');
	const title = `I was told: ${code(cut(first, 200))}`;
	return rest.length === 0
		? title
		: `${title}\n${fenced(
				rest
					.slice(-shownLines)
					.map(line => cut(line, 200))
					.join('\n'),
			)}`;
}

export function failed(name: string, step: Step): string {
	return `${code(name)} answered with an error: ${cut(step.content.split('\n', 1)[0]!, 300)}`;
}

/** Inline code that the text in it cannot end. */
export function code(text: string): string {
	const flat = text.replaceAll('\n', ' ');
	if (!flat.includes('`')) return `\`${flat}\``;
	const fence = '`'.repeat(longestRun(flat) + 1);
	return `${fence} ${flat} ${fence}`;
}

const shownPaths = 20;
const shownHits = 10;
const shownNames = 14;
const shownLines = 20;

function describe(path: string, {names, about}: Outline, lines: string): string {
	return [
		`**${escapeMark(path)}** (${lines})${about === undefined ? '' : `: ${about}`}`,
		...names
			.slice(0, shownNames)
			.map(
				({name, what, line, note}) =>
					`- line ${line}: ${/^#+$/.test(what) || what === '' ? '' : `${what} `}${code(name)}${note === undefined || note === about ? '' : ` – ${note}`}`,
			),
		...more(names.length - shownNames),
	].join('\n');
}

/** Entries are the lines of a result; notes are its bracketed remarks about what was left out. */
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

function noMatch(what: string, notes: readonly string[]): string {
	return [`No line matches ${what}.`, ...notes].join('\n');
}

function more(count: number): readonly string[] {
	return count > 0 ? [`- … and ${count} more`] : [];
}

function plural(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

function cut(text: string, max: number): string {
	const points = Array.from(text.slice(0, max * 2 + 2));
	return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

function fenced(text: string): string {
	const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function escapeMark(text: string): string {
	return text.replaceAll(/[*_`[\]\\]/g, String.raw`\$&`);
}
