import type {RewriteRule} from '../../history/rewrites.ts';
import type {ItemPart} from '../encode/sourced.ts';

/** Where a piece of a request comes from. */
export type Source =
	/** An item. `rule`: the rule because of which the piece deviates from the item. */
	| {readonly kind: 'item'; readonly id: string; readonly part: ItemPart; readonly rule?: RewriteRule}
	/** The setup: `model`, `prompt`, `tools.<name>.<key>`, `settings.<key>`. */
	| {readonly kind: 'setup'; readonly key: string; readonly rule?: RewriteRule}
	/** Text or fields that come from no item. */
	| {readonly kind: 'rule'; readonly rule: RewriteRule}
	/** The format of the API: keys, punctuation, and fixed values such as types and roles. */
	| {readonly kind: 'form'};

/** A piece of a body. The texts of all pieces, joined, are the body. */
export type Piece = {readonly text: string; readonly source: Source};

export const form: Source = {kind: 'form'};
