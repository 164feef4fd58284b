import {estimateMedia, type Item, type Media, type Setup} from '../../../worker/index.ts';
import {mediaIn} from '../history/media-of.ts';
import {isUnsent} from '../history/reader.ts';
import {estimateTokens} from '../text/tokens.ts';
import {createContextSum, type ContextSum} from './context-sum.ts';

/** Returns the estimated tokens of a request with the items before an index, by default with all of them. */
export const estimateRequest: ContextSum = createContextSum(
	(item, setup) => estimateItem(item) + (item.type === 'setup' ? 0 : mediaTokens(mediaIn(item), setup)),
);

/**
Returns the estimated tokens of an item. Each item is estimated only once. The estimate of a setup includes its prompt
and tools. An item that is never sent has 0 tokens.
*/
export function estimateItem(item: Item): number {
	const known = estimates.get(item);
	if (known !== undefined) return known;
	const texts = textsOf(item);
	// Half of a history's items have no text. An entry for each of them would only cost memory.
	if (texts.length === 0) return 0;
	const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), frameTokens);
	estimates.set(item, tokens);
	return tokens;
}

const estimates = new WeakMap<Item, number>();

/** The number of tokens that mark the start, end and role of a message. */
const frameTokens = 4;

/** Tells whether an item changes the earlier context instead of only adding to it. */
export function changesContext(item: Item): boolean {
	return (
		item.type === 'setup' ||
		item.type === 'compaction' ||
		item.type === 'rewind' ||
		(item.type === 'context' && item.op !== 'pin')
	);
}

/** Returns the estimated tokens of an image or document. The result is 0 if the model of the setup cannot read it. */
export function mediaTokens(media: Media | undefined, setup: Pick<Setup, 'settings'> | undefined): number {
	if (media === undefined) return 0;
	const {input} = setup?.settings ?? {};
	return Array.isArray(input) && !input.includes(media.kind) ? 0 : estimateMedia(media);
}

/** Returns the texts of an item that a request contains. */
export function textsOf(item: Item): readonly string[] {
	if (item.type === 'message') return isUnsent(item.origin) ? [] : [item.text];
	if (item.type === 'reasoning') return [item.text];
	if (item.type === 'tool_call') return [item.name, item.arguments];
	if (item.type === 'tool_result') return item.partialOf === undefined ? [item.content] : [];
	if (item.type === 'compaction') return [item.summary];
	return item.type === 'setup' ? [item.prompt, ...item.tools.map(tool => JSON.stringify(tool))] : [];
}
