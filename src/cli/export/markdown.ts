import {sanitize} from '../../text/sanitize.ts';
import type {ExportFacts} from './facts.ts';
import type {Part, Section} from './parts.ts';
import {exportTexts} from './texts.ts';

/** Returns a session as Markdown. What you and the model wrote stays Markdown. Everything else is in code blocks. */
export function markdownOf({rows}: ExportFacts, parts: readonly Part[]): string {
	const facts = rows.map(([name, value]) => `- ${name}: ${plain(value)}`);
	return `${[`# inkpod`, facts.join('\n'), ...parts.map(partText)].join('\n\n')}\n`;
}

function partText({kind, title, sections, inner = [], isRewound}: Part): string {
	const name = isRewound ? `${title} (${exportTexts.rewound})` : title;
	if (kind === 'usage') return `*${plain(name)}*`;
	const isProse = kind === 'user' || kind === 'assistant' || kind === 'compaction';
	const own = sections.map(section => (isProse ? sanitize(section.text) : fenced(section)));
	// Each part of a conversation inside is a heading, too, so the whole of it is folded.
	if (kind === 'child')
		return [`<details><summary>${escaped(name)}</summary>`, ...own, ...inner.map(partText), `</details>`].join(
			'\n\n',
		);
	return [`## ${plain(name)}`, ...own].join('\n\n');
}

/** Escapes a line, so that nothing in it is Markdown or HTML: no link, no code, no tag, no emphasis. */
function plain(line: string): string {
	return line
		.replaceAll(/[\\`*[\]<>&~]|(?<!\w)_|_(?!\w)|(?<=^|\s)#|:(?=\/\/)/g, String.raw`\$&`)
		.replaceAll(/(?<=\bwww)\./gi, String.raw`\.`);
}

function escaped(text: string): string {
	return text.replaceAll(/[&<>]/g, character => `&#${character.charCodeAt(0)};`);
}

/** The fence is longer than any row of backticks in the text. */
function fenced({label, text}: Section): string {
	const inert = sanitize(text);
	const longest = Math.max(2, ...[...inert.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longest + 1);
	return [...(label === undefined ? [] : [`${label}:\n`]), fence, inert, fence].join('\n');
}
