import {sanitize} from '../../text/sanitize.ts';
import {closedMarkdown} from './closed-markdown.ts';
import type {ExportFacts} from './facts.ts';
import {inReadingOrder, type Part, type Section} from './parts.ts';
import {escaped} from './prose.ts';
import {exportTexts} from './texts.ts';

/**
Returns a session as Markdown: its title, its conversation, and then its settings and its record. What you and the model
wrote stays Markdown. Everything else is in code blocks.
*/
export function markdownOf({title, about, rows}: ExportFacts, parts: readonly Part[]): string {
	const {conversation, settings} = inReadingOrder(parts);
	const record = rows.map(([name, value]) => `- ${name}: ${plain(value)}`).join('\n');
	const texts = [
		`# ${plain(title)}`,
		plain(about),
		...conversation.map(partText),
		...settings.map(partText),
		`## ${exportTexts.record}`,
		record,
	];
	return `${texts.join('\n\n')}\n`;
}

/** Returns `text` as a code block. The fence is longer than any run of backticks in `text`. */
export function fenced(text: string): string {
	const inert = sanitize(text);
	const longest = Math.max(2, ...[...inert.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longest + 1);
	return [fence, inert, fence].join('\n');
}

function partText({kind, title, sections, inner = [], isRewound, isSetting}: Part): string {
	const name = isRewound ? `${title} (${exportTexts.rewound})` : title;
	if (kind === 'usage') return `*${plain(name)}*`;
	const isProse = kind === 'user' || kind === 'assistant' || kind === 'compaction';
	const own = sections.map(section => (isProse ? closedMarkdown(sanitize(section.text)) : labelled(section)));
	const {conversation, settings} = inReadingOrder(inner);
	// Each part of an inner conversation is a heading, too, so the whole conversation is collapsed.
	if (kind === 'child' || (isSetting === true && own.length > 0))
		return [
			`<details><summary>${escaped(name)}</summary>`,
			...own,
			...[...conversation, ...settings].map(partText),
			`</details>`,
		].join('\n\n');
	return [`## ${plain(name)}`, ...own].join('\n\n');
}

function labelled({label, text}: Section): string {
	return [...(label === undefined ? [] : [`${label}:\n`]), fenced(text)].join('\n');
}

/** Escapes a line, so that it contains no Markdown or HTML: no link, no code, no tag, no emphasis. */
function plain(line: string): string {
	return line
		.replaceAll(/[\\`*[\]<>&~@]|(?<!\w)_|_(?!\w)|(?<=^|\s)#|:(?=\/\/)/g, String.raw`\$&`)
		.replaceAll(/(?<=www)\./gi, String.raw`\.`);
}
