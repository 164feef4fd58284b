import type {Item} from '../../worker/index.ts';

/** An inferred type that is readonly at every depth. Items keep the worker's type. */
export type Immutable<Value> = Value extends Item
	? Value
	: Value extends ReadonlyArray<infer Element>
		? ReadonlyArray<Immutable<Element>>
		: Value extends object
			? {readonly [Key in keyof Value]: Immutable<Value[Key]>}
			: Value;
