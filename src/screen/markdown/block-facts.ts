import type {MarkedToken, Token, Tokens} from 'marked';

/**
Tells whether a code token has a closing fence. Code is coloured only if it has one. Otherwise the colours could change
with every streamed line.
*/
export function isClosedFence(token: MarkedToken | Tokens.Code): boolean {
	if (token.type !== 'code' || token.codeBlockStyle === 'indented') return false;
	const fence = /^ {0,3}(`{3,}|~{3,})/.exec(token.raw)?.[1];
	const lines = token.raw.replace(/\n+$/, '').split('\n');
	return fence !== undefined && lines.length > 1 && new RegExp(`^ {0,3}${fence}[~\`]* *$`).test(lines.at(-1) ?? '');
}

/** Matches a line that opens a fence. A line of 100 marks does not open a fence, as in lexer.ts. */
export const fenceLine = /^(?:`{3,99}(?!`)[^`\n]*|~{3,99}(?!~)[^\n]*)\n/;

/** Returns the blocks inside a block. */
export function childrenOf({tokens = []}: {readonly tokens?: readonly Token[] | undefined}): readonly MarkedToken[] {
	return tokens as readonly MarkedToken[];
}

/** Returns the code of a block. Without a language, the code has no colours. */
export function codeOf(token: Tokens.Code): {readonly text: string; readonly language?: string} {
	if (!isClosedFence(token)) return {text: openText(token)};
	const [language = ''] = (token.lang ?? '').split(/[\s{,:]/, 1);
	return {text: token.text, language};
}

/** Returns the text after the marks of a fence line: the language, and what follows it. */
export function infoOf(fence: string): string {
	return (/^ *(?:`+|~+)(.*)/.exec(fence)?.[1] ?? '').trim();
}

/** Returns the number of an item of an ordered list, as it was written. */
export function numberOf({raw}: Tokens.ListItem): string {
	return /^\s*(\d+)/.exec(raw)?.[1] ?? '';
}

/** Returns the blocks of a list item. The box of a task is a part of the text after it. */
export function itemTokens(item: Tokens.ListItem): readonly MarkedToken[] {
	const tokens: MarkedToken[] = [];
	let box: Tokens.Checkbox | undefined;
	for (const token of childrenOf(item)) {
		if (token.type === 'space') continue;
		if (token.type === 'checkbox') {
			box = token;
			continue;
		}
		const own = 'tokens' in token ? token.tokens : undefined;
		const isBoxed = box !== undefined && own !== undefined;
		tokens.push(isBoxed ? ({...token, tokens: [box, ...own]} as MarkedToken) : token);
		box = undefined;
	}
	return tokens.length === 0 && box !== undefined ? [{type: 'text', raw: box.raw, text: box.raw}] : tokens;
}

/**
Returns the lines of an unclosed fence without changes. The lexer's own text is not used, because the lexer treats
trailing newlines differently depending on their number.
*/
function openText({raw, text}: Tokens.Code): string {
	const opening = fenceLine.exec(raw)?.[0];
	return opening === undefined ? text : raw.slice(opening.length).replace(/\n$/, '');
}
