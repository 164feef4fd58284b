import type {ItemOf} from '../../../worker/index.ts';

/** What a child session is for, as its start in the parent's history says. All texts are the model's or the user's. */
export type ChildSpec = Omit<ItemOf<'child_started'>, 'id' | 'at' | 'type'>;

export function specOf({id: _id, at: _at, type: _type, ...spec}: ItemOf<'child_started'>): ChildSpec {
	return spec;
}

/** The end of a child's work. `text` is its final answer, or the last words of an unfinished one. */
export type ChildEnd = {
	readonly outcome: ItemOf<'child_ended'>['outcome'];
	readonly text: string;
	/** Why it failed, as a sentence. */
	readonly cause?: string | undefined;
};
