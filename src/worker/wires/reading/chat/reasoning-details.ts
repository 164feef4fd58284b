import {elementsOf, isRecord} from '../../values.ts';
import {isObject} from '../fields.ts';
import {plainRecord} from '../plain-copy.ts';

type ReasoningDetail = Readonly<Record<string, unknown>>;

/** Collects the `reasoning_details` of an answer from their fragments. */
type ReasoningDetails = {
	add(fragments: unknown): void;
	/** Returns the blocks that were added since the last call of this function. */
	take(): readonly ReasoningDetail[];
};

/**
Joins fragments into blocks. A stream sends one block in many fragments with the same type, index and id. The texts of
these fragments are joined, and a later signature or format completes the block. The order of the blocks and their
encrypted data do not change, because OpenRouter requires them to be sent back unchanged
(openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning). `countBlock` is called for each block.
*/
export function createReasoningDetails(countBlock: () => void): ReasoningDetails {
	let blocks: Block[] = [];

	function addOne(detail: Block): void {
		const known = blockOf(blocks, detail);
		if (known !== undefined) return join(known, detail);
		countBlock();
		blocks.push(detail);
	}

	return {
		add(fragments) {
			for (const fragment of elementsOf(fragments)) if (isObject(fragment)) addOne(plainRecord(fragment));
		},
		take() {
			const taken = blocks;
			blocks = [];
			return taken;
		},
	};
}

/** A block is changed in place, because a fragment may be small and its block large. */
type Block = Record<string, unknown>;

/** Returns the text of the thoughts in `fragments`, for servers that send the thoughts only there. */
export function thoughtsIn(fragments: unknown): string {
	return elementsOf(fragments)
		.map(fragment => (isRecord(fragment) ? (fragment['text'] ?? fragment['summary']) : undefined))
		.filter(text => typeof text === 'string')
		.join('');
}

/**
Returns the block that a fragment continues, or `undefined` if the fragment begins a block. A block with encrypted data
is never continued.
*/
function blockOf(blocks: readonly Block[], detail: ReasoningDetail): Block | undefined {
	if (typeof detail['data'] === 'string') return undefined;
	const index = detail['index'] ?? undefined;
	return blocks
		.slice(index === undefined ? -1 : -maxOpen)
		.findLast(
			block =>
				block['type'] === detail['type'] &&
				typeof block['data'] !== 'string' &&
				(index === undefined || block['index'] === index) &&
				isSameId(block['id'], detail['id']),
		);
}

/** A fragment can continue only one of this many last blocks. Servers send at most two blocks at the same time. */
const maxOpen = 64;

/**
Compares the ids of two fragments. A missing id equals any id, because some servers send the id only in the first
fragment of a block.
*/
function isSameId(one: unknown, other: unknown): boolean {
	return typeof one !== 'string' || typeof other !== 'string' || one === other;
}

function join(block: Block, fragment: ReasoningDetail): void {
	for (const [name, value] of Object.entries(fragment)) {
		const before = block[name];
		if (value === null || value === undefined) block[name] ??= value;
		else if (texts.has(name) && typeof before === 'string' && typeof value === 'string')
			block[name] = before + value;
		else block[name] = value;
	}
}

const texts: ReadonlySet<string> = new Set(['text', 'summary']);
