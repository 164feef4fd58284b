import type {ToolCallContent} from '@agentclientprotocol/sdk';

/**
Returns a text as the content of a tool call. An editor renders contents as Markdown. The fence keeps the editor from
showing the text of a file or a tool as links, images or headings.
*/
export function fenced(text: string, language = ''): ToolCallContent {
	const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longest + 1);
	const end = text.endsWith('\n') ? '' : '\n';
	return plain(`${fence}${language}\n${text}${end}${fence}`);
}

/** Returns a Markdown text as the content of a tool call. */
export function plain(text: string): ToolCallContent {
	return {type: 'content', content: {type: 'text', text}};
}
