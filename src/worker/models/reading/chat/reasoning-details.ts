import {elementsOf, isRecord} from '../../values.ts';
import {plainRecord} from '../plain-copy.ts';

export type ReasoningDetail = Readonly<Record<string, unknown>>;

/**
Adds fragments to the `reasoning_details` of an answer. A stream sends one block in many fragments with the same type,
index and id: their texts are joined, and a later signature or format completes the block. The order of the blocks and
their encrypted data are unchanged, because OpenRouter requires them back as they came (openrouter.ai/docs/guides/
best-practices/reasoning-tokens#preserving-reasoning).
*/
export function withDetails(known: readonly ReasoningDetail[], fragments: unknown): readonly ReasoningDetail[] {
	const merged = [...known];
	for (const fragment of elementsOf(fragments)) {
		if (!isRecord(fragment) || Array.isArray(fragment)) continue;
		const detail = plainRecord(fragment);
		const at = placeOf(merged, detail);
		const before = merged[at];
		if (before === undefined) merged.push(detail);
		else merged[at] = joined(before, detail);
	}
	return merged;
}

/** The thoughts in fragments, for servers that send them nowhere else. */
export function thoughtsIn(fragments: unknown): string {
	return elementsOf(fragments)
		.map(fragment => (isRecord(fragment) ? (fragment['text'] ?? fragment['summary']) : undefined))
		.filter(text => typeof text === 'string')
		.join('');
}

/** The block that a fragment continues; -1: it begins a block. Encrypted data is never continued. */
function placeOf(blocks: readonly ReasoningDetail[], detail: ReasoningDetail): number {
	if (typeof detail['data'] === 'string') return -1;
	const index = detail['index'] ?? undefined;
	return blocks.findLastIndex(
		(block, at) =>
			block['type'] === detail['type'] &&
			typeof block['data'] !== 'string' &&
			(index === undefined ? at === blocks.length - 1 : block['index'] === index) &&
			isSameId(block['id'], detail['id']),
	);
}

/** Only the first fragment may have the id. */
function isSameId(one: unknown, other: unknown): boolean {
	return typeof one !== 'string' || typeof other !== 'string' || one === other;
}

function joined(block: ReasoningDetail, fragment: ReasoningDetail): ReasoningDetail {
	const whole: Record<string, unknown> = {...block};
	for (const [name, value] of Object.entries(fragment)) {
		const before = whole[name];
		if (value === null || value === undefined) whole[name] ??= value;
		else if (texts.has(name) && typeof before === 'string' && typeof value === 'string')
			whole[name] = before + value;
		else whole[name] = value;
	}
	return whole;
}

const texts: ReadonlySet<string> = new Set(['text', 'summary']);
