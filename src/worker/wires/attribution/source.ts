import type {RewriteRule} from '../../history/rewrites.ts';
import type {ItemPart} from '../encode/sourced.ts';

/** Where a piece of a request comes from. */
export type Source =
	/** An item. `rule`: the piece deviates from the item by this rule. */
	| {readonly kind: 'item'; readonly id: string; readonly part: ItemPart; readonly rule?: RewriteRule}
	/** The setup: `model`, `prompt`, `tools.<name>.<key>`, `settings.<key>`. */
	| {readonly kind: 'setup'; readonly key: string; readonly rule?: RewriteRule}
	/** Words or fields that no item has. */
	| {readonly kind: 'rule'; readonly rule: RewriteRule}
	/** The form of the wire: keys, punctuation, and the closed list of values that say what something is. */
	| {readonly kind: 'form'};

/** A piece of a body. The texts of all pieces together are the body. */
export type Piece = {readonly text: string; readonly source: Source};

export const form: Source = {kind: 'form'};
